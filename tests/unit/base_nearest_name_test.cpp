// SPDX-License-Identifier: MIT
#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace cede {
namespace {

std::string asked(std::string_view text, std::initializer_list<std::string_view> known) {
  NearestName nearest(text);
  for (const std::string_view name : known) nearest.offer(name);
  return nearest.question();
}

TEST(NearestName, MeansTheNearest) {
  EXPECT_EQ(asked("root.reserch", {"root", "root.prod", "root.research"}), "; did you mean 'root.research'?");
  EXPECT_EQ(asked("trian", {"brain", "train"}), "; did you mean 'train'?") << "a swap of letters counts once";
  EXPECT_EQ(asked("n011", {"n1", "n11"}), "; did you mean 'n11'?");
  EXPECT_EQ(asked("bat", {"cat", "bad"}), "; did you mean 'bad'?")
      << "of equally near ones the first by name";
  EXPECT_EQ(asked("bat", {"bad", "cat"}), "; did you mean 'bad'?");
}

TEST(NearestName, FarNamesAreNotMeant) {
  EXPECT_EQ(asked("banana", {"train", "brain"}), "");
  EXPECT_EQ(asked("k", {"j"}), "") << "short names are all near each other";
  EXPECT_EQ(asked("", {"a"}), "");
  EXPECT_EQ(asked("train", {}), "");
  EXPECT_EQ(asked(std::string(2000, 'a'), {std::string_view("aaa")}), "");
}

TEST(NearestName, AnotherNumberIsAnotherName) {
  EXPECT_EQ(asked("node-12", {"node-11", "node-21", "node-13"}), "");
  EXPECT_EQ(asked("node-12", {"node-13", "nodes-12"}), "; did you mean 'nodes-12'?");
}

}  // namespace
}  // namespace cede
