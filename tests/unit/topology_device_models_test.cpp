// SPDX-License-Identifier: MIT
#include "topology/import/device_catalogue.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

TEST(DeviceModels, names_whole_words_in_any_case) {
  EXPECT_TRUE(names_model("H100", "H100"));
  EXPECT_TRUE(names_model("h100", "NVIDIA H100 80GB HBM3"));
  EXPECT_TRUE(names_model("H100 80GB", "NVIDIA H100 80GB HBM3"));
  EXPECT_TRUE(names_model("A100", "NVIDIA A100-SXM4-40GB"));
  EXPECT_TRUE(names_model("V100", "Tesla_V100"));
  EXPECT_FALSE(names_model("H100", "GH100"));
  EXPECT_FALSE(names_model("H10", "H100"));
  EXPECT_FALSE(names_model("MI250", "AMD Instinct MI250X"));
  EXPECT_FALSE(names_model("NVIDIA H100", "H100"));
  EXPECT_TRUE(names_model("MI250", "MI250X or MI250"));
}

TEST(DeviceModels, takes_other_scripts_for_letters) {
  EXPECT_FALSE(names_model("H100", "H100\xc3\xa9"));
  EXPECT_TRUE(names_model("\xc3\xa9", "karta \xc3\xa9 1"));
}

TEST(DeviceModels, finds_nothing_in_nothing) {
  EXPECT_FALSE(names_model("", "H100"));
  EXPECT_FALSE(names_model("", ""));
  EXPECT_FALSE(names_model("H100", ""));
}

TEST(DeviceModels, lists_each_model_of_a_class_once) {
  NodeClass box;
  for (const char* model : {"NVIDIA L40", "h100", "", "H100", "A100"}) box.devices.push_back({model, "", -1});
  EXPECT_EQ(distinct_models(box), (std::vector<std::string>{"a100", "h100", "nvidia l40"}));
  EXPECT_TRUE(distinct_models(NodeClass{}).empty());
}

}  // namespace
}  // namespace cede
