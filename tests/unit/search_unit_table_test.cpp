// SPDX-License-Identifier: MIT
#include "search/unit_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace cede {
namespace {

// What a unit is known by here.
Unit unit(JobId job, std::uint32_t task) {
  Unit out;
  out.job = job;
  out.tasks = TaskId{task};
  return out;
}

// Jobs of no, one and several units come and go beside a plain map; whoever stays does so where it was.
TEST(UnitTable, KeepsEveryUnitInItsPlace) {
  std::mt19937 generator(5);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  UnitTable table;
  std::map<std::uint32_t, std::vector<const Unit*>> expected;
  for (int round = 0; round < 5000; ++round) {
    const JobId job{random() % 400};
    if (expected.contains(job.value)) {
      table.drop(job);
      expected.erase(job.value);
      EXPECT_TRUE(table.of(job).empty());
    } else {
      std::vector<Unit> units;
      const std::uint32_t count = random() % 4 == 0 ? random() % 5 : 1;
      for (std::uint32_t k = 0; k < count; ++k) units.push_back(unit(job, k));
      for (Unit& each : table.put(job, units)) {
        each.slot = random();  // the table is free to use it only while the unit is not there
        expected[job.value].push_back(&each);
      }
    }
    if (round % 100 != 0) continue;
    std::size_t count = 0;
    table.for_each([&](Unit&) { ++count; });
    for (const auto& [id, units] : expected) {
      ASSERT_EQ(table.of(JobId{id}).size(), units.size());
      count -= units.size();
      for (std::uint32_t k = 0; k < units.size(); ++k) {
        ASSERT_EQ(&table.of(JobId{id})[k], units[k]);
        ASSERT_EQ(units[k]->job, JobId{id});
        ASSERT_EQ(units[k]->tasks.front(), TaskId{k});
      }
    }
    ASSERT_EQ(count, 0u);
  }
}

TEST(UnitTable, ACopyHasUnitsOfItsOwn) {
  UnitTable table;
  table.put(JobId{3}, {unit(JobId{3}, 0)});
  table.put(JobId{1}, {unit(JobId{1}, 0), unit(JobId{1}, 1)});
  UnitTable copy = table;
  table.of(JobId{3})[0].slot = 8;
  table.drop(JobId{1});
  table.put(JobId{2}, {unit(JobId{2}, 0)});
  EXPECT_EQ(copy.of(JobId{3})[0].slot, 0u);
  EXPECT_EQ(copy.of(JobId{1}).size(), 2u);
  EXPECT_TRUE(copy.of(JobId{2}).empty());
  copy.put(JobId{4}, {unit(JobId{4}, 7)});
  EXPECT_EQ(table.of(JobId{2})[0].tasks.front(), TaskId{0});
}

}  // namespace
}  // namespace cede
