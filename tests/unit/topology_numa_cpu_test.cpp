// SPDX-License-Identifier: MIT
#include "topology/fit/numa_cpu.h"

#include <gtest/gtest.h>

#include "node_class_samples.h"

namespace cede {
namespace {

Fit share(std::vector<NumaSet> spans, std::uint32_t limit, std::vector<Amount> free, Amount per_task) {
  Work work(kOneFit);
  return shares_cpu(spans, limit, free, per_task, work);
}

TEST(NumaCpu, divides_the_nodes_cpu_by_cores) {
  NodeClass box = box_of(2);
  box.numa = {0b01, 0b10, 0};
  box.cores = {2, 1, 0};
  EXPECT_EQ(numa_capacity(box, 100'000), (std::vector<Amount>{66'666, 33'333, 0}));
  EXPECT_EQ(numa_capacity(box, kMaxAmount)[0], kMaxAmount / 3 * 2);
  box.cores = {0, 0, 0};
  EXPECT_TRUE(numa_capacity(box, 100'000).empty());
  box.cores.clear();
  EXPECT_TRUE(numa_capacity(box, 100'000).empty());
}

TEST(NumaCpu, demands_on_one_numa_node_add_up) {
  EXPECT_EQ(share({0b01, 0b01}, 1, {8, 100}, 4), Fit::yes);
  EXPECT_EQ(share({0b01, 0b01}, 1, {7, 100}, 4), Fit::no);
  EXPECT_EQ(share({0b01, 0b10}, 1, {4, 4}, 4), Fit::yes);
  EXPECT_EQ(share({0b01, 0b10}, 1, {8, 3}, 4), Fit::no);
}

TEST(NumaCpu, tasks_without_devices_go_where_there_is_room) {
  EXPECT_EQ(share({0, 0, 0}, 1, {8, 4}, 4), Fit::yes);
  EXPECT_EQ(share({0, 0, 0}, 1, {7, 4}, 4), Fit::no);
  EXPECT_EQ(share({0, 0, 0b10}, 1, {4, 8}, 4), Fit::yes);
  EXPECT_EQ(share({0, 0, 0b10}, 1, {7, 7}, 4), Fit::no);
  EXPECT_EQ(share({0}, 1, {3, 3}, 4), Fit::no);
  EXPECT_EQ(share({0}, 1, {-5, 4}, 4), Fit::yes);
}

TEST(NumaCpu, a_demand_may_be_split_over_as_many_as_allowed) {
  EXPECT_EQ(share({0b001}, 2, {1, 3, 2}, 4), Fit::yes);
  EXPECT_EQ(share({0b001}, 2, {1, 2, 2}, 4), Fit::no);
  EXPECT_EQ(share({0b011}, 2, {1, 2, 9}, 4), Fit::no);
  EXPECT_EQ(share({0b111}, 2, {9, 9, 9}, 1), Fit::no);
  // Two of the three must be 0 and 1 for the first, so the second has what they leave and node 2.
  EXPECT_EQ(share({0b011, 0b001}, 2, {2, 4, 2}, 4), Fit::yes);
  EXPECT_EQ(share({0b011, 0b001}, 2, {2, 3, 2}, 4), Fit::no);
  EXPECT_EQ(share({0, 0}, 2, {2, 2, 2, 2}, 4), Fit::yes);
  EXPECT_EQ(share({0, 0}, 2, {3, 1, 1, 2}, 4), Fit::no);
}

TEST(NumaCpu, who_may_use_every_numa_node_is_not_judged_here) {
  EXPECT_EQ(share({0, 0}, 2, {0, 0}, 4), Fit::yes);
  EXPECT_EQ(share({0b1}, 1, {0}, 4), Fit::yes);
  EXPECT_EQ(share({0b01}, 1, {0, 0}, 0), Fit::yes);
  EXPECT_EQ(share({}, 1, {0, 0}, 4), Fit::yes);
}

TEST(NumaCpu, numa_nodes_that_nobody_counted_have_nothing_free) {
  EXPECT_EQ(share({0b100}, 1, {9, 9}, 4), Fit::no);
}

TEST(NumaCpu, eight_tasks_are_decided) {
  const std::vector<Amount> enough(8, 4);
  std::vector<Amount> short_of_one = enough;
  short_of_one[7] = 3;
  EXPECT_EQ(share(std::vector<NumaSet>(8, 0), 2, enough, 4), Fit::yes);
  EXPECT_EQ(share(std::vector<NumaSet>(8, 0), 2, short_of_one, 4), Fit::no);
}

TEST(NumaCpu, is_undecided_when_the_work_runs_out) {
  Work work(30);
  const std::vector<Amount> free{2, 2, 2, 1, 1};
  EXPECT_EQ(share({0, 0}, 2, free, 4), Fit::no);
  EXPECT_EQ(shares_cpu(std::vector<NumaSet>(2, 0), 2, free, 4, work), Fit::undecided);
  EXPECT_TRUE(work.ended());
  EXPECT_EQ(work.left_open(), 1u);
}

}  // namespace
}  // namespace cede
