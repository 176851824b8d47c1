// SPDX-License-Identifier: MIT
#include "report/text_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "topology/import/slurm_lines.h"

namespace cede {
namespace {

TEST(NameList, folds_numbers) {
  EXPECT_EQ(fold_names({}, 80), "");
  EXPECT_EQ(fold_names({"login"}, 80), "login");
  EXPECT_EQ(fold_names({"n7"}, 80), "n7");
  EXPECT_EQ(fold_names({"n2", "n1", "n3", "n5"}, 80), "n[1-3,5]");
  EXPECT_EQ(fold_names({"n001", "n002", "n10"}, 80), "n[001-002,10]");
  EXPECT_EQ(fold_names({"n9", "n10", "n11"}, 80), "n[9-11]");
  EXPECT_EQ(fold_names({"n09", "n10"}, 80), "n[09-10]");
  EXPECT_EQ(fold_names({"b1", "a2", "a1", "login"}, 80), "a[1-2],b1,login");
}

TEST(NameList, is_cut) {
  EXPECT_EQ(fold_names({"alpha", "beta", "gamma"}, 12), "alpha,beta,…");
  std::vector<std::string> many;
  for (int i = 0; i < 5000; ++i) many.push_back("x" + std::to_string(i * 2));
  const std::vector<std::string_view> names(many.begin(), many.end());
  EXPECT_EQ(fold_names(names, 20), "x[0,2,4,6,8,10,12,1…");
}

// What Slurm makes of it are the same names again.
TEST(NameList, is_what_hostlists_are) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> names;
    for (std::uint64_t i = 0, n = random() % 30; i < n; ++i) {
      std::string digits = std::to_string(random() % 120);
      if (random() % 3 == 0) digits = std::string(random() % 3, '0') + digits;
      names.push_back(std::string(random() % 2 ? "n" : "rack-1-") + (random() % 9 == 0 ? "x" : digits));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::string folded = fold_names({names.begin(), names.end()}, 100000);
    std::vector<ListedName> listed;
    HostlistFault fault;
    ASSERT_TRUE(expand_hostlist(folded, 1000, listed, fault)) << folded << ": " << fault.text;
    std::vector<std::string> back;
    for (const ListedName& name : listed) back.push_back(name.name);
    std::sort(back.begin(), back.end());
    EXPECT_EQ(back, names) << folded;
  }
}

}  // namespace
}  // namespace cede
