// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/fit/numa_cpu.h"

namespace cede {

// Entries of a requirement that concern one node, one bit each. Bit i is `gpus[i]` (documents have at most
// 16).
using EntrySet = std::uint64_t;
inline constexpr EntrySet kModelEntry = EntrySet{1} << 60;    // gpu_model
inline constexpr EntrySet kUniformEntry = EntrySet{1} << 61;  // uniform_model
inline constexpr EntrySet kNicEntry = EntrySet{1} << 62;      // nic
inline constexpr EntrySet kNumaEntry = EntrySet{1} << 63;     // cpu.numa

constexpr EntrySet gpus_entry(std::size_t index) { return EntrySet{1} << std::min<std::size_t>(index, 59); }

EntrySet preferred_entries(const Requirement& require);

// The terms of `cpu.numa` (see NodeFit::numa_terms()). `limit`: how many NUMA nodes one task may use; 1 for
// `single`, else as few as the task would need on an empty node. 0: no number is enough, or it is unknown.
// `free`: thousandths of cpu that are certainly free on each NUMA node of the class; empty: only the devices
// count.
struct NumaTerms {
  std::uint32_t limit = 0;
  Amount cpu = 0;  // per task
  std::span<const Amount> free;
};

// The entries, hard ones and preferences, that an assignment on one node does not meet. tasks[i] are the
// devices of the request's i-th task there, including a partly held device. Entries of scope task are checked
// for each task, those of scope node and `uniform_model` for all devices together. `model`: for
// `uniform_model` `job` the model that the job uses; empty: only this node is checked. Whether the devices
// are free or disjoint is not checked. Independent of the search, so that one can check the other.
EntrySet unmet_entries(const DeviceSets& sets, const Requirement& require, std::span<const DeviceMask> tasks,
                       const NumaTerms& numa, Unknown unknown = Unknown::fails, std::string_view model = {});

// What every task of one shape needs from one node, besides the requirement.
struct TaskTerms {
  std::uint32_t devices = 0;  // per task; a partly held device counts as one
  Amount cpu = 0;             // per task; only `cpu.numa` uses this and the next member
  Amount node_cpu = 0;        // of the whole empty node
  Unknown unknown = Unknown::fails;
  std::string model;  // only devices of this model, for `uniform_model` `job`; empty: any
};

// A requirement prepared for trying many device sets of one class: its entries by scope and strength, and
// masks that cut the search. A mask never excludes a set that holds.
class NodeRules {
 public:
  NodeRules(const NodeClass& node_class, const Requirement& require, TaskTerms terms);

  const DeviceSets& sets() const { return sets_; }
  const TaskTerms& terms() const { return terms_; }

  // Whether one task may have exactly these devices; whether the request's tasks together may have these
  // devices.
  bool task_holds(DeviceMask set) const;
  bool node_holds(DeviceMask together) const;
  // The preferences that a task's set, or all sets together, miss. With `cpu.numa` `best-effort` only the
  // devices are checked here.
  EntrySet task_misses(DeviceMask set) const;
  EntrySet node_misses(DeviceMask together) const;
  EntrySet preferences() const { return preferences_; }

  bool has_node_rules() const { return uniform_ || !hard_node_.empty(); }
  bool judges_node() const { return has_node_rules() || !preferred_node_.empty(); }
  // Whether fewer tasks always fit if more do. All modes but `connected` at nvl hold for every part of a set.
  bool is_hereditary() const { return hereditary_; }

  DeviceMask allowed() const { return allowed_; }
  // Devices that one task may have together with this one; devices that the request may have on the node
  // together with this one.
  DeviceMask mates(std::size_t device) const { return mates_[device]; }
  DeviceMask node_mates(std::size_t device) const { return node_mates_[device]; }
  // Devices that no entry distinguishes from this one, including itself. Only the lowest free ones need be
  // tried.
  DeviceMask twins(std::size_t device) const { return twins_[device]; }
  // No task has devices in two islands.
  const std::vector<DeviceMask>& islands() const { return islands_; }
  // At most this many tasks fit into these devices.
  std::uint32_t most_tasks(DeviceMask free) const;

  // `cpu.numa`. The limit (see NumaTerms) of restricted and best-effort depends on what fits on an empty
  // node, so it is set once the other rules can be searched.
  CpuNuma numa() const { return numa_; }
  bool numa_is_hard() const { return numa_ == CpuNuma::single || numa_ == CpuNuma::restricted; }
  bool knows_cores() const { return knows_cores_; }
  void set_numa_limit(std::uint32_t limit);
  NumaTerms numa_terms(std::span<const Amount> free) const;

 private:
  struct Entry {
    GpuRequirement need;
    EntrySet bit = 0;
  };
  bool may_pair(std::uint32_t a, std::uint32_t b) const;
  bool may_share_node(std::uint32_t a, std::uint32_t b) const;
  bool are_twins(std::uint32_t a, std::uint32_t b) const;
  bool is_met(DeviceMask set, const GpuRequirement& need) const {
    return holds(sets_.related(set, need), terms_.unknown);
  }
  void cut();

  DeviceSets sets_;
  TaskTerms terms_;
  std::vector<Entry> hard_task_;
  std::vector<Entry> hard_node_;
  std::vector<Entry> preferred_task_;
  std::vector<Entry> preferred_node_;
  NicRequirement nic_;
  bool uniform_ = false;
  CpuNuma numa_ = CpuNuma::none;
  std::uint32_t numa_limit_ = kMaxNumaNodes;
  bool knows_cores_ = false;
  bool hereditary_ = true;
  EntrySet preferences_ = 0;

  DeviceMask allowed_ = 0;
  std::array<DeviceMask, kMaxDevices> mates_{};
  std::array<DeviceMask, kMaxDevices> node_mates_{};
  std::array<DeviceMask, kMaxDevices> twins_{};
  std::vector<DeviceMask> islands_;
};

// How many NUMA nodes one task may use under `cpu.numa` (see NumaTerms::limit). For `restricted` and
// `best-effort` it is the smallest number of NUMA nodes of an empty node that have the cpu and, under the
// task's other hard entries, the devices, as far as the class is known. If that is not enough to decide: 0,
// or all NUMA nodes if unknowns pass. nullopt if the work ran out first.
std::optional<std::uint32_t> find_numa_limit(const NodeClass& node_class, const Requirement& require,
                                             const TaskTerms& terms, Work& work);

}  // namespace cede
