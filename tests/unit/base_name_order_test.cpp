// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

namespace cede {
namespace {

std::vector<std::size_t> sorted(const std::vector<std::string>& names) {
  std::vector<std::size_t> ids(names.size());
  std::iota(ids.begin(), ids.end(), 0);
  sort_by_name(ids, [&](std::size_t id) { return std::string_view(names[id]); });
  return ids;
}

TEST(NameOrder, IsThatOfBytes) {
  EXPECT_EQ(sorted({}), (std::vector<std::size_t>{}));
  EXPECT_EQ(sorted({"a"}), (std::vector<std::size_t>{0}));
  EXPECT_EQ(sorted({"n10", "n1", "n2", "n"}), (std::vector<std::size_t>{3, 1, 0, 2}));
  EXPECT_EQ(sorted({"n\xC3\xA4", "nz", "n\x01"}), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(sorted({"rack-000000001", "rack-000000000"}), (std::vector<std::size_t>{1, 0}));
  // Alike further than what is compared at once.
  EXPECT_EQ(sorted({"a", "b-long-enough-2", "b-long-enough-1", "b-long-enough"}),
            (std::vector<std::size_t>{0, 3, 2, 1}));
}

TEST(NameOrder, OfManyNames) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> names;
    const std::string begin(random() % 20, 'x');
    for (std::size_t i = 0; i < 50; ++i) {
      std::string name = begin;
      for (std::size_t k = 1 + random() % 12; k > 0; --k) name += static_cast<char>("ab\xFF"[random() % 3]);
      names.push_back(name + std::to_string(i));
    }
    std::vector<std::size_t> expected(names.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::sort(expected.begin(), expected.end(),
              [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
    ASSERT_EQ(sorted(names), expected);
  }
}

}  // namespace
}  // namespace cede
