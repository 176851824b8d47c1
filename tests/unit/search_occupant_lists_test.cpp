// SPDX-License-Identifier: MIT
#include "search/unit_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cede {
namespace {

Occupant occupant(const Unit& unit, std::size_t task) { return {&unit, kNoShape, TaskId{task}, 1}; }

std::vector<std::uint32_t> tasks_on(const OccupantLists& lists, std::size_t node) {
  std::vector<std::uint32_t> out;
  for (const Occupant& each : lists[node]) out.push_back(each.task.value);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(OccupantLists, HaveRoomForMoreThanAtFirst) {
  const std::vector<Unit> units(3);
  OccupantLists lists;
  lists.make_room(3, [](std::size_t node) { return node; });
  for (std::size_t i = 0; i < 9; ++i) lists.add(i % 3, occupant(units[i % 2], i));
  EXPECT_EQ(tasks_on(lists, 0), (std::vector<std::uint32_t>{0, 3, 6}));
  EXPECT_EQ(tasks_on(lists, 1), (std::vector<std::uint32_t>{1, 4, 7}));
  EXPECT_EQ(tasks_on(lists, 2), (std::vector<std::uint32_t>{2, 5, 8}));
  lists.drop(1, units[1]);
  lists.drop(1, units[2]);
  EXPECT_EQ(tasks_on(lists, 1), (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(tasks_on(lists, 2), (std::vector<std::uint32_t>{2, 5, 8}));
}

TEST(OccupantLists, FollowUnitsThatComeAndGo) {
  const std::vector<Unit> units(20);
  std::mt19937_64 random(3);
  std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> expected(5);  // task, unit
  OccupantLists lists;
  lists.make_room(5, [](std::size_t) { return std::size_t{2}; });
  for (std::uint32_t round = 0; round < 3000; ++round) {
    const std::size_t node = random() % 5;
    const std::size_t unit = random() % 20;
    if (random() % 8 == 0) {
      lists.drop(node, units[unit]);
      std::erase_if(expected[node], [&](const auto& each) { return each.second == unit; });
    } else if (expected[node].size() < 40) {
      lists.add(node, occupant(units[unit], round));
      expected[node].emplace_back(round, unit);
    }
    std::vector<std::uint32_t> tasks;
    for (const auto& each : expected[node]) tasks.push_back(each.first);
    ASSERT_EQ(tasks_on(lists, node), tasks);
  }
}

}  // namespace
}  // namespace cede
