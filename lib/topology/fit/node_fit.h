// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/fit/fit_search.h"

namespace cede {

// How many tasks of one shape fit on a node of one class, and on which devices. One assignment of disjoint
// devices meets every entry of `require` that concerns one node. The caller builds a NodeFit once per class,
// requirement and terms and keeps it. It is immutable, so any number of threads may use it.
//
// Classes of up to 16 devices are answered from a table over the masks of free devices, if the budget
// suffices to build one. Other classes are searched within the given budget, or a small budget of their own,
// and may answer `undecided`.
//
// A query is about exactly t tasks. Fewer tasks then fit too, unless a hard entry has scope `node`, level
// `nvl` and mode `connected` (is_hereditary()): if the devices of two tasks are linked only crosswise,
// neither task is connected alone. More free devices never make anything worse.
//
// `free_cpu` is the cpu, in thousandths, that is certainly free on each NUMA node of the class. Only
// `cpu.numa` uses it. A task's cpu and devices come from one NUMA node (`single`), or from as few NUMA nodes
// as the task would need on an empty node of the class under its other hard entries (`restricted`).
// `best-effort` prefers the latter. The demands of several tasks add up. Without `free_cpu` only the devices'
// NUMA nodes are checked, and the answer is a bound. The entry is unknown if the NUMA node of a device is not
// known, or if the tasks request cpu and the cores are not known.
class NodeFit {
 public:
  static constexpr std::uint8_t kNoLimit = FitTable::kNoLimit;

  // `table_devices`: the largest class that gets a table; for tests.
  NodeFit(const NodeClass& node_class, const Requirement& require, TaskTerms terms,
          std::uint32_t table_devices = FitTable::kMaxTableDevices, Work* work = nullptr);

  // The largest number of tasks proven to fit, at most 255. Without a table there may be room for more.
  // kNoLimit if the tasks need nothing that could run out.
  std::uint8_t capacity(DeviceMask free, Work* work = nullptr) const {
    return table_.empty() ? searched_capacity(free, {}, work) : table_.most(free);
  }
  std::uint8_t capacity(DeviceMask free, std::span<const Amount> free_cpu, Work* work = nullptr) const;

  Fit fits(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu = {},
           Work* work = nullptr) const;

  // Devices for exactly this many tasks: the assignment that misses the fewest preferences, then the one with
  // the lowest devices, compared task by task. If the work for preferences runs out, they are ignored. `out`
  // has room for every task; `missed` receives the missed preferences.
  Fit assign(DeviceMask free, std::uint32_t tasks, std::span<DeviceMask> out, EntrySet* missed = nullptr,
             std::span<const Amount> free_cpu = {}, Work* work = nullptr) const;
  // The same for any other query of a search, for tasks with devices. The query's own bound on preferences is
  // ignored.
  Fit assign(const FitQuery& asked, std::span<DeviceMask> out, EntrySet* missed, Work* work = nullptr) const;

  bool has_table() const { return !table_.empty(); }
  bool is_hereditary() const { return rules_.is_hereditary(); }
  // Whether the work ran out before the limit of NUMA nodes per task was known. Then no capacity is certain.
  bool is_unclear() const { return unclear_; }
  const NodeRules& rules() const { return rules_; }
  NumaTerms numa_terms(std::span<const Amount> free_cpu) const { return rules_.numa_terms(free_cpu); }

 private:
  bool counts_cpu(std::span<const Amount> free_cpu) const {
    return rules_.numa_is_hard() && !free_cpu.empty();
  }
  Fit shares_cpu_alone(std::uint32_t tasks, std::span<const Amount> free_cpu, Work& work) const;
  Fit found(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu, Work& work) const;
  std::uint8_t searched_capacity(DeviceMask free, std::span<const Amount> free_cpu,
                                 Work* work = nullptr) const;
  std::uint8_t capacity_by_numa(DeviceMask free, std::span<const Amount> free_cpu) const;

  NodeRules rules_;
  FitTable table_;
  bool unclear_ = false;
  bool by_numa_ = false;  // each NUMA node can be checked alone: no task uses two or depends on another
};

}  // namespace cede
