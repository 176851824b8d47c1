// SPDX-License-Identifier: MIT
#include "topology/fit/node_rules.h"

#include <gtest/gtest.h>

#include "node_class_samples.h"

namespace cede {
namespace {

using Masks = std::vector<DeviceMask>;

TEST(NodeEntries, are_preferred_where_the_requirement_says_so) {
  Requirement require = requires_gpus(
      {gpus_at(GpuLevel::nvl), gpus_at(GpuLevel::numa, GpuMode::clique, GpuScope::node, Strength::prefer)});
  EXPECT_EQ(preferred_entries(require), gpus_entry(1));
  require.nic = nic_at(GpuLevel::pcie);
  require.gpu_models = {"H100"};
  require.uniform_model = UniformModel::node;
  require.cpu_numa = CpuNuma::single;
  EXPECT_EQ(preferred_entries(require), gpus_entry(1));
  require.cpu_numa = CpuNuma::best_effort;
  require.nic.strength = Strength::prefer;
  EXPECT_EQ(preferred_entries(require), gpus_entry(1) | kNicEntry | kNumaEntry);
}

TEST(NodeEntries, are_judged_by_task_or_for_the_whole_node) {
  const DeviceSets sets(nvswitch_box());
  const Requirement require =
      requires_gpus({gpus_at(GpuLevel::numa), gpus_at(GpuLevel::numa, GpuMode::clique, GpuScope::node)});
  EXPECT_EQ(unmet_entries(sets, require, Masks{0x03, 0x0c}, {}), 0u);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0x03, 0x30}, {}), gpus_entry(1));
  EXPECT_EQ(unmet_entries(sets, require, Masks{0x03, 0x18}, {}), gpus_entry(0) | gpus_entry(1));
  EXPECT_EQ(unmet_entries(sets, require, Masks{}, {}), 0u);
}

TEST(NodeEntries, count_the_cpu_of_all_tasks) {
  const DeviceSets sets(nvswitch_box());
  Requirement require;
  require.cpu_numa = CpuNuma::single;
  const std::vector<Amount> free{8, 4};
  EXPECT_EQ(unmet_entries(sets, require, Masks{0x01, 0x02, 0x10}, {1, 4, free}), 0u);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0x01, 0x10, 0x20}, {1, 4, free}), kNumaEntry);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0x11}, {1, 4, free}), kNumaEntry);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0x01}, {}), kNumaEntry) << "no number of NUMA nodes will do";
}

TEST(NodeEntries, hold_the_job_to_one_model) {
  NodeClass box = box_of(2);
  box.devices[1].model = "A100";
  Requirement require;
  require.uniform_model = UniformModel::job;
  const DeviceSets sets(box);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0b01}, {}), 0u);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0b01}, {}, Unknown::fails, "h100"), 0u);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0b10}, {}, Unknown::fails, "h100"), kUniformEntry);
  EXPECT_EQ(unmet_entries(sets, require, Masks{0b01, 0b10}, {}), kUniformEntry);
}

}  // namespace
}  // namespace cede
