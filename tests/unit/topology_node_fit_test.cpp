// SPDX-License-Identifier: MIT
#include "topology/fit/node_fit.h"

#include <gtest/gtest.h>

#include "node_class_samples.h"
#include "topology/import/device_catalogue.h"

namespace cede {
namespace {

using Masks = std::vector<DeviceMask>;

NodeFit node_fit_for(const NodeClass& box, const Requirement& require, std::uint32_t devices,
                     Unknown unknown = Unknown::fails) {
  TaskTerms terms;
  terms.devices = devices;
  terms.unknown = unknown;
  return NodeFit(box, require, terms);
}

NodeFit fit_with_cpu(const NodeClass& box, const Requirement& require, std::uint32_t devices, Amount cpu,
                     Amount node_cpu = 64 * kOne) {
  TaskTerms terms;
  terms.devices = devices;
  terms.cpu = cpu;
  terms.node_cpu = node_cpu;
  return NodeFit(box, require, terms);
}

// What assign() gives; empty when it does not fit.
Masks assigned(const NodeFit& fit, DeviceMask free, std::uint32_t tasks, EntrySet* missed = nullptr,
               std::span<const Amount> free_cpu = {}) {
  Masks out(tasks);
  return fit.assign(free, tasks, out, missed, free_cpu) == Fit::yes ? out : Masks{};
}

Requirement requires_numa(CpuNuma numa) {
  Requirement require;
  require.cpu_numa = numa;
  return require;
}

TEST(NodeFit, two_free_and_two_freed_on_different_numa_nodes) {
  const DeviceMask free = 0b00000011 | 0b00110000;
  EXPECT_EQ(node_fit_for(nvswitch_box(), requires_gpus({gpus_at(GpuLevel::numa)}), 4).capacity(free), 0);
  EXPECT_EQ(node_fit_for(nvswitch_box(), requires_gpus({gpus_at(GpuLevel::nvl)}), 4).capacity(free), 1);
  EXPECT_EQ(node_fit_for(nvswitch_box(), requires_gpus({gpus_at(GpuLevel::numa)}), 4).capacity(0x0f), 1);
}

TEST(NodeFit, counts_without_any_entry) {
  const NodeFit fit = node_fit_for(nvswitch_box(), {}, 3);
  EXPECT_EQ(fit.capacity(0xff), 2);
  EXPECT_EQ(fit.capacity(0b11), 0);
  EXPECT_EQ(fit.fits(0xff, 2), Fit::yes);
  EXPECT_EQ(fit.fits(0xff, 3), Fit::no);
  EXPECT_EQ(fit.fits(0, 0), Fit::yes);
  EXPECT_EQ(assigned(fit, 0b11101110, 2), (Masks{0b00001110, 0b11100000}));
  EXPECT_EQ(fit.capacity(~DeviceMask{0}), 2) << "bits beyond the class's devices are no devices";
}

TEST(NodeFit, four_mutually_linked_dies_are_impossible_on_an_mi250x_node) {
  const Requirement clique = requires_gpus({gpus_at(GpuLevel::nvl)});
  EXPECT_EQ(node_fit_for(mi250x_box(), clique, 4).capacity(0xff), 0);
  EXPECT_EQ(node_fit_for(mi250x_box(), clique, 4, Unknown::passes).capacity(0xff), 0);
  EXPECT_GE(node_fit_for(mi250x_box(), clique, 2).capacity(0xff), 4);
  const Requirement connected = requires_gpus({gpus_at(GpuLevel::nvl, GpuMode::connected)});
  EXPECT_GE(node_fit_for(mi250x_box(), connected, 4).capacity(0xff), 1);
}

TEST(NodeFit, a_degraded_link_spoils_only_what_needs_it) {
  NodeClass box = nvswitch_box();
  box.degraded = {{0, 1}};
  const NodeFit fit = node_fit_for(box, requires_gpus({gpus_at(GpuLevel::nvl)}), 4);
  EXPECT_EQ(fit.capacity(0x0f), 0);
  EXPECT_EQ(fit.capacity(0xff), 2);
  EXPECT_EQ(assigned(fit, 0xff, 2), (Masks{0b00011101, 0b11100010}));
  EXPECT_EQ(node_fit_for(box, requires_gpus({gpus_at(GpuLevel::nvl)}), 8).capacity(0xff), 0);
}

TEST(NodeFit, links_that_do_not_close) {
  const NodeClass chain = chain_of(4);
  const NodeFit pairs = node_fit_for(chain, requires_gpus({gpus_at(GpuLevel::nvl)}), 2);
  EXPECT_EQ(pairs.capacity(0b1111), 2);
  EXPECT_EQ(pairs.capacity(0b1010), 0);
  EXPECT_EQ(pairs.capacity(0b0111), 1);
  EXPECT_EQ(node_fit_for(chain, requires_gpus({gpus_at(GpuLevel::nvl)}), 3).capacity(0b1111), 0);
  // The middle pair would do for one but leaves the ends apart.
  EXPECT_EQ(assigned(pairs, 0b1111, 2), (Masks{0b0011, 0b1100}));
  const NodeFit any = node_fit_for(chain, requires_gpus({gpus_at(GpuLevel::nvl, GpuMode::same)}), 2);
  EXPECT_EQ(any.capacity(0b1010), 1);
}

TEST(NodeFit, mixed_models) {
  NodeClass box = nvswitch_box();
  for (const std::size_t d : {1, 2, 5}) box.devices[d].model = "A100";
  Requirement require;
  require.gpu_models = {"H100"};
  EXPECT_EQ(node_fit_for(box, require, 2).capacity(0xff), 2);
  EXPECT_EQ(assigned(node_fit_for(box, require, 2), 0xff, 2), (Masks{0b00001001, 0b01010000}));
  require.gpu_models = {};
  require.uniform_model = UniformModel::node;
  EXPECT_EQ(node_fit_for(box, require, 5).capacity(0xff), 1);
  EXPECT_EQ(node_fit_for(box, require, 6).capacity(0xff), 0);
  EXPECT_EQ(node_fit_for(box, require, 3).fits(0xff, 2), Fit::no) << "one task per model";
  EXPECT_EQ(node_fit_for(box, require, 3).fits(0b00100110, 1), Fit::yes);
}

TEST(NodeFit, one_model_for_the_job_is_tried_model_by_model) {
  NodeClass box = nvswitch_box();
  for (const std::size_t d : {1, 2, 5}) box.devices[d].model = "A100";
  Requirement require;
  require.uniform_model = UniformModel::job;
  std::vector<int> capacities;
  for (const std::string& model : distinct_models(box)) {
    TaskTerms terms;
    terms.devices = 1;
    terms.model = model;
    capacities.push_back(NodeFit(box, require, terms).capacity(0xff));
  }
  EXPECT_EQ(capacities, (std::vector<int>{3, 5}));
  EXPECT_EQ(node_fit_for(box, require, 1).capacity(0xff), 5) << "no model named: the node's own must be one";
}

TEST(NodeFit, nic_numa_and_link_pass_on_different_subsets_only) {
  NodeClass box = box_of(4);
  box.numa = {0b0011, 0b1100};
  box.links = {{LinkClass::nvl, 0b0110, 1}};
  box.nics = {{"", 0b1001, LinkClass::pcie}};
  const GpuRequirement linked = gpus_at(GpuLevel::nvl);
  const GpuRequirement near = gpus_at(GpuLevel::numa);
  Requirement only_nic;
  only_nic.nic = nic_at(GpuLevel::pcie, false);
  EXPECT_EQ(assigned(node_fit_for(box, requires_gpus({linked}), 2), 0xf, 1), (Masks{0b0110}));
  EXPECT_EQ(assigned(node_fit_for(box, requires_gpus({near}), 2), 0xf, 2), (Masks{0b0011, 0b1100}));
  EXPECT_EQ(assigned(node_fit_for(box, only_nic, 2), 0xf, 1), (Masks{0b1001}));
  Requirement all = requires_gpus({linked, near});
  EXPECT_EQ(node_fit_for(box, all, 2).capacity(0xf), 0);
  all.nic = nic_at(GpuLevel::pcie, false);
  EXPECT_EQ(node_fit_for(box, all, 2).capacity(0xf), 0);
  box.links.push_back({LinkClass::nvl, 0b0011, 1});
  box.nics.push_back({"", 0b0011, LinkClass::pcie});
  EXPECT_EQ(assigned(node_fit_for(box, all, 2), 0xf, 1), (Masks{0b0011}));
}

TEST(NodeFit, two_tasks_of_the_request_on_one_node) {
  const NodeClass box = nvswitch_box();
  const Requirement by_task = requires_gpus({gpus_at(GpuLevel::numa)});
  const Requirement by_node = requires_gpus({gpus_at(GpuLevel::numa, GpuMode::clique, GpuScope::node)});
  EXPECT_EQ(node_fit_for(box, by_task, 2).capacity(0b00110011), 2);
  EXPECT_EQ(node_fit_for(box, by_node, 2).capacity(0b00110011), 1);
  EXPECT_EQ(node_fit_for(box, by_node, 2).capacity(0b11110011), 2);
  EXPECT_EQ(assigned(node_fit_for(box, by_node, 2), 0b11110011, 2), (Masks{0b00110000, 0b11000000}));
  // 3 + 3 free: taking the wrong three first would leave a task split.
  EXPECT_EQ(node_fit_for(box, by_task, 3).capacity(0b01110111), 2);
  EXPECT_EQ(node_fit_for(box, by_task, 3).capacity(0b00111111), 1);
}

TEST(NodeFit, connected_tasks_need_who_is_between_them) {
  NodeClass box = chain_of(6);
  box.numa = {0b000011, 0b001100, 0b110000};
  const Requirement require =
      requires_gpus({gpus_at(GpuLevel::numa), gpus_at(GpuLevel::nvl, GpuMode::connected, GpuScope::node)});
  const NodeFit fit = node_fit_for(box, require, 2);
  EXPECT_EQ(fit.capacity(0b111111), 3);
  EXPECT_EQ(fit.fits(0b110011, 2), Fit::no);
  EXPECT_EQ(fit.capacity(0b110011), 1);
  EXPECT_EQ(assigned(fit, 0b111111, 2), (Masks{0b000011, 0b001100}));
}

TEST(NodeFit, two_tasks_may_fit_where_one_does_not) {
  // 0 - 2 - 1 - 3: the pairs of either NUMA node are connected only through the other pair.
  NodeClass box = box_of(4);
  box.numa = {0b0011, 0b1100};
  box.links = {{LinkClass::nvl, 0b0101, 1}, {LinkClass::nvl, 0b0110, 1}, {LinkClass::nvl, 0b1010, 1}};
  const Requirement require =
      requires_gpus({gpus_at(GpuLevel::numa), gpus_at(GpuLevel::nvl, GpuMode::connected, GpuScope::node)});
  for (const std::uint32_t table_devices : {FitTable::kMaxTableDevices, 0u}) {
    TaskTerms terms;
    terms.devices = 2;
    const NodeFit fit(box, require, terms, table_devices);
    EXPECT_FALSE(fit.is_hereditary());
    EXPECT_EQ(fit.fits(0b1111, 1), Fit::no);
    EXPECT_EQ(fit.fits(0b1111, 2), Fit::yes);
    EXPECT_EQ(fit.capacity(0b1111), 2);
    EXPECT_EQ(fit.capacity(0b0111), 0);
    EXPECT_EQ(assigned(fit, 0b1111, 2), (Masks{0b0011, 0b1100}));
  }
}

TEST(NodeFit, unknown_fails_a_hard_entry_and_is_told_from_impossible) {
  NodeClass box = box_of(4);
  box.links_known = false;
  const Requirement require = requires_gpus({gpus_at(GpuLevel::nvl)});
  EXPECT_EQ(node_fit_for(box, require, 2).capacity(0xf), 0);
  EXPECT_EQ(node_fit_for(box, require, 2, Unknown::passes).capacity(0xf), 2);
  box.links_known = true;
  EXPECT_EQ(node_fit_for(box, require, 2, Unknown::passes).capacity(0xf), 0);
}

TEST(NodeFit, preferences_rank_and_never_restrict) {
  Requirement require = requires_gpus(
      {gpus_at(GpuLevel::nvl), gpus_at(GpuLevel::numa, GpuMode::clique, GpuScope::task, Strength::prefer),
       gpus_at(GpuLevel::pcie, GpuMode::clique, GpuScope::task, Strength::prefer)});
  const NodeFit fit = node_fit_for(nvswitch_box(), require, 2);
  EntrySet missed = 0;
  EXPECT_EQ(assigned(fit, 0b11001011, 1, &missed), (Masks{0b00000011}));
  EXPECT_EQ(missed, 0u);
  EXPECT_EQ(assigned(fit, 0b11001001, 1, &missed), (Masks{0b11000000})) << "not the lowest, but one switch";
  EXPECT_EQ(missed, 0u);
  EXPECT_EQ(assigned(fit, 0b01001010, 1, &missed), (Masks{0b00001010}));
  EXPECT_EQ(missed, gpus_entry(2));
  EXPECT_EQ(assigned(fit, 0b01000010, 1, &missed), (Masks{0b01000010}));
  EXPECT_EQ(missed, gpus_entry(1) | gpus_entry(2));
  EXPECT_EQ(assigned(fit, 0b11001011, 2, &missed), (Masks{0b00000011, 0b11000000}));
  require.nic = nic_at(GpuLevel::pcie, true, Strength::prefer);
  NodeClass box = nvswitch_box();
  box.nics.resize(1);
  EXPECT_EQ(assigned(node_fit_for(box, require, 2), 0b11001101, 1, &missed), (Masks{0b00001100}));
  EXPECT_EQ(missed, kNicEntry);
}

TEST(NodeFit, a_preference_for_the_node_counts_all_tasks) {
  const Requirement require =
      requires_gpus({gpus_at(GpuLevel::numa, GpuMode::clique, GpuScope::node, Strength::prefer)});
  EntrySet missed = 0;
  const NodeFit fit = node_fit_for(nvswitch_box(), require, 1);
  EXPECT_EQ(assigned(fit, 0b00110001, 2, &missed), (Masks{0b00010000, 0b00100000}));
  EXPECT_EQ(missed, 0u);
  EXPECT_EQ(assigned(fit, 0b00110001, 3, &missed), (Masks{0b1, 0b00010000, 0b00100000}));
  EXPECT_EQ(missed, gpus_entry(0));
}

TEST(NodeFit, cpu_and_devices_of_one_numa_node) {
  const NodeFit fit = fit_with_cpu(nvswitch_box(), requires_numa(CpuNuma::single), 2, 8 * kOne);
  EXPECT_EQ(fit.capacity(0xff), 4);
  EXPECT_EQ(fit.capacity(0b00010001), 0);
  const std::vector<Amount> lopsided{15 * kOne, 16 * kOne};
  EXPECT_EQ(fit.capacity(0xff, lopsided), 3);
  EXPECT_EQ(fit.fits(0xff, 4, lopsided), Fit::no);
  EXPECT_EQ(assigned(fit, 0xff, 3, nullptr, lopsided), (Masks{0b00000011, 0b00110000, 0b11000000}));
  const std::vector<Amount> co_tenant{0, 16 * kOne};  // holds the cores beside the freed devices
  EXPECT_EQ(fit.fits(0x0f, 1, co_tenant), Fit::no);
  EXPECT_EQ(fit.fits(0xf0, 2, co_tenant), Fit::yes);
}

TEST(NodeFit, as_few_numa_nodes_as_an_empty_node_would_take) {
  const std::vector<Amount> free{32 * kOne, 32 * kOne};
  const NodeFit small = fit_with_cpu(nvswitch_box(), requires_numa(CpuNuma::restricted), 4, 8 * kOne);
  EXPECT_EQ(small.numa_terms({}).limit, 1u);
  EXPECT_EQ(small.fits(0b00110011, 1, free), Fit::no);
  EXPECT_EQ(small.fits(0x0f, 1, free), Fit::yes);
  const NodeFit wide = fit_with_cpu(nvswitch_box(), requires_numa(CpuNuma::restricted), 6, 8 * kOne);
  EXPECT_EQ(wide.numa_terms({}).limit, 2u);
  EXPECT_EQ(wide.fits(0b00111111, 1, free), Fit::yes);
  const NodeFit much_cpu = fit_with_cpu(nvswitch_box(), requires_numa(CpuNuma::restricted), 2, 40 * kOne);
  EXPECT_EQ(much_cpu.numa_terms({}).limit, 2u);
  EXPECT_EQ(much_cpu.fits(0b00010001, 1, free), Fit::yes);
  const NodeFit too_much = fit_with_cpu(nvswitch_box(), requires_numa(CpuNuma::restricted), 2, 65 * kOne);
  EXPECT_EQ(too_much.numa_terms({}).limit, 0u);
  EXPECT_EQ(too_much.capacity(0xff), 0);
}

TEST(NodeFit, what_would_do_includes_the_other_hard_entries) {
  NodeClass box = box_of(4);
  box.numa = {0b0011, 0b1100};
  box.cores = {8, 8};
  box.links = {{LinkClass::nvl, 0b0101, 1}, {LinkClass::nvl, 0b1010, 1}};  // across the NUMA nodes only
  Requirement require = requires_gpus({gpus_at(GpuLevel::nvl)});
  require.cpu_numa = CpuNuma::restricted;
  EXPECT_EQ(fit_with_cpu(box, require, 2, kOne).capacity(0xf), 2);
  require.cpu_numa = CpuNuma::single;
  EXPECT_EQ(fit_with_cpu(box, require, 2, kOne).capacity(0xf), 0);
}

TEST(NodeFit, restricted_demands_of_several_tasks_add_up) {
  const NodeFit fit = fit_with_cpu(mi250x_box(), requires_numa(CpuNuma::restricted), 3, 4 * kOne);
  EXPECT_EQ(fit.numa_terms({}).limit, 2u);
  const std::vector<Amount> enough{4 * kOne, 0, 4 * kOne, 0};
  EXPECT_EQ(fit.fits(0xff, 2, enough), Fit::yes);
  const std::vector<Amount> apart{8 * kOne, 0, 0, 0};
  EXPECT_EQ(fit.fits(0b01110111, 2, apart), Fit::no) << "the second task has no device near that cpu";
  EXPECT_EQ(fit.fits(0b00111111, 2, apart), Fit::yes) << "0,2,3 and 1,4,5 both reach it";
  EXPECT_EQ(fit.fits(0b00111111, 1, apart), Fit::yes);
}

TEST(NodeFit, rounding_takes_nothing_from_who_may_use_every_numa_node) {
  NodeClass box = box_of(3);
  box.numa = {0b001, 0b010, 0b100};
  box.cores = {1, 1, 1};
  const NodeFit fit = fit_with_cpu(box, requires_numa(CpuNuma::restricted), 1, 100 * kOne, 100 * kOne);
  EXPECT_EQ(fit.numa_terms({}).limit, 3u);
  EXPECT_EQ(fit.fits(0b001, 1, numa_capacity(box, 100 * kOne)), Fit::yes);
}

TEST(NodeFit, best_effort_is_a_preference) {
  const NodeFit fit = fit_with_cpu(nvswitch_box(), requires_numa(CpuNuma::best_effort), 2, 8 * kOne);
  EntrySet missed = 0;
  EXPECT_EQ(assigned(fit, 0b00110001, 1, &missed), (Masks{0b00110000}));
  EXPECT_EQ(missed, 0u);
  EXPECT_EQ(assigned(fit, 0b00010001, 1, &missed), (Masks{0b00010001}));
  EXPECT_EQ(missed, kNumaEntry);
  const std::vector<Amount> second_only{0, 8 * kOne};
  EXPECT_EQ(assigned(fit, 0b00110011, 1, &missed, second_only), (Masks{0b00110000}));
  EXPECT_EQ(missed, 0u);
  EXPECT_EQ(assigned(fit, 0b00000011, 1, &missed, second_only), (Masks{0b00000011}));
  EXPECT_EQ(missed, kNumaEntry);
}

TEST(NodeFit, places_or_cores_that_nobody_told_are_unknown) {
  NodeClass box = nvswitch_box();
  box.cores.clear();
  EXPECT_EQ(fit_with_cpu(box, requires_numa(CpuNuma::single), 2, kOne).capacity(0xff), 0);
  EXPECT_EQ(fit_with_cpu(box, requires_numa(CpuNuma::single), 2, 0).capacity(0xff), 4) << "no cpu asked";
  TaskTerms hopeful{2, kOne, 64 * kOne, Unknown::passes, {}};
  EXPECT_EQ(NodeFit(box, requires_numa(CpuNuma::single), hopeful).capacity(0xff), 4);
  EXPECT_EQ(NodeFit(box, requires_numa(CpuNuma::single), hopeful).capacity(0b00010001), 0);
  box = nvswitch_box();
  box.numa = {0x07, 0xf0};
  EXPECT_EQ(fit_with_cpu(box, requires_numa(CpuNuma::single), 1, kOne).capacity(0xff), 7);
  hopeful.devices = 1;
  EXPECT_EQ(NodeFit(box, requires_numa(CpuNuma::single), hopeful).capacity(0xff), 8);
}

TEST(NodeFit, tasks_without_devices) {
  const NodeFit plain = node_fit_for(nvswitch_box(), requires_gpus({gpus_at(GpuLevel::nvl)}), 0);
  EXPECT_EQ(plain.capacity(0), NodeFit::kNoLimit);
  EXPECT_EQ(plain.fits(0, 1000), Fit::yes);
  EXPECT_EQ(assigned(plain, 0, 2), (Masks{0, 0}));
  const NodeFit cpu = fit_with_cpu(nvswitch_box(), requires_numa(CpuNuma::single), 0, 10 * kOne);
  const std::vector<Amount> free{19 * kOne, 30 * kOne};
  EXPECT_EQ(cpu.capacity(0, free), 4);
  EXPECT_EQ(cpu.fits(0, 5, free), Fit::no);
  NodeClass dark = nvswitch_box();
  dark.cores.clear();
  EXPECT_EQ(fit_with_cpu(dark, requires_numa(CpuNuma::single), 0, kOne).capacity(0), 0);
  EXPECT_EQ(node_fit_for(NodeClass{}, {}, 0).capacity(0), NodeFit::kNoLimit);
  EXPECT_EQ(node_fit_for(NodeClass{}, {}, 1).capacity(0), 0);
}

}  // namespace
}  // namespace cede
