// SPDX-License-Identifier: MIT
#include "policy/unit.h"

#include <gtest/gtest.h>

#include <vector>

namespace cede {
namespace {

std::vector<TaskId> rows(const std::vector<std::uint32_t>& values) {
  std::vector<TaskId> out;
  for (const std::uint32_t value : values) out.emplace_back(value);
  return out;
}

TEST(UnitTasks, AreWhatTheyWereMadeOf) {
  const std::uint32_t last = TaskId::kNoValue - 1;
  for (const std::vector<std::uint32_t>& values : {std::vector<std::uint32_t>{},
                                                   {0},
                                                   {7},
                                                   {last},
                                                   {0, 1, 2},
                                                   {last - 1, last},
                                                   {3, 5},
                                                   {5, 4},
                                                   {2, 3, 3}}) {
    const std::vector<TaskId> expected = rows(values);
    UnitTasks tasks = expected;
    const UnitTasks copy = tasks;
    const UnitTasks moved = std::move(tasks);
    tasks = copy;
    for (const UnitTasks* each : {&copy, &moved, static_cast<const UnitTasks*>(&tasks)}) {
      EXPECT_EQ(std::vector<TaskId>(*each), expected);
      ASSERT_EQ(each->size(), expected.size());
      EXPECT_EQ(each->empty(), expected.empty());
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ((*each)[i], expected[i]);
      if (expected.empty()) continue;
      EXPECT_EQ(each->front(), expected.front());
    }
  }
}

TEST(UnitTasks, OneTaskIsARun) {
  const UnitTasks one = TaskId{9};
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(one.front(), TaskId{9});
}

}  // namespace
}  // namespace cede
