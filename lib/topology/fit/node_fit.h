// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/fit/fit_search.h"

namespace cede {

// How many tasks of one shape fit onto a node of one class, and onto which devices: every entry of `require`
// that concerns one node is met by one assignment of disjoint devices. Built once per class, requirement and
// terms, by the caller who keeps it; immutable, so any number of threads may ask.
//
// Classes of up to 16 devices are answered from a table over the masks of free devices, if there is work
// enough to make one. Others are searched within the work given, or a little of their own without, and may
// answer `undecided`.
//
// Whether t tasks fit is asked for exactly t. Fewer then fit too, as long as no hard entry has scope `node`,
// level `nvl` and mode `connected` (is_hereditary()): of two tasks whose devices are linked only crosswise
// neither is connected alone. More free devices never make anything worse.
//
// `free_cpu` is the cpu, in thousandths, that is certainly free on each NUMA node of the class, and matters
// to `cpu.numa` alone: a task's cpu and devices come from one NUMA node (`single`), or from as few as would
// do for it on an empty node of the class, its other hard entries included (`restricted`); `best-effort` is a
// preference for the latter. The demands of several tasks add up. Without `free_cpu` only the devices' NUMA
// nodes are judged, and the answer is a bound. Where the NUMA node of a device is not known, or the cores are
// not and the tasks ask for cpu, the entry is unknown.
class NodeFit {
 public:
  static constexpr std::uint8_t kNoLimit = FitTable::kNoLimit;

  // `table_devices`: the largest class that gets a table; for tests.
  NodeFit(const NodeClass& node_class, const Requirement& require, TaskTerms terms,
          std::uint32_t table_devices = FitTable::kMaxTableDevices, Work* work = nullptr);

  // The largest number of tasks shown to fit, at most 255: without a table there may be room for more
  // (capacity_bound()). kNoLimit for tasks that want nothing there could be too little of.
  std::uint8_t capacity(DeviceMask free, Work* work = nullptr) const {
    return table_.empty() ? searched_capacity(free, {}, work).shown : table_.most(free);
  }
  std::uint8_t capacity(DeviceMask free, std::span<const Amount> free_cpu, Work* work = nullptr) const;
  // No more than this many fit.
  std::uint8_t capacity_bound(DeviceMask free, std::span<const Amount> free_cpu = {}) const;

  Fit fits(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu = {},
           Work* work = nullptr) const;

  // Devices for exactly so many tasks: the assignment that misses the fewest preferences; of these the one
  // with the lowest devices, compared task by task. Should the work counted for preferences run out, they are
  // left aside. `out` has room for every task; `missed` tells the preferences missed.
  Fit assign(DeviceMask free, std::uint32_t tasks, std::span<DeviceMask> out, EntrySet* missed = nullptr,
             std::span<const Amount> free_cpu = {}, Work* work = nullptr) const;
  // The same for whatever else a search can be asked; the query's own bound on preferences is ignored. Of
  // tasks that have devices.
  Fit assign(const FitQuery& asked, std::span<DeviceMask> out, EntrySet* missed, Work* work = nullptr) const;

  bool has_table() const { return !table_.empty(); }
  bool is_hereditary() const { return rules_.is_hereditary(); }
  // Whether the work ended before it was clear how many NUMA nodes a task may use: no capacity is certain.
  bool is_unclear() const { return unclear_; }
  const NodeRules& rules() const { return rules_; }
  NumaTerms numa_terms(std::span<const Amount> free_cpu) const { return rules_.numa_terms(free_cpu); }

 private:
  struct Range {
    std::uint8_t shown = 0;
    std::uint8_t bound = 0;
  };
  bool counts_cpu(std::span<const Amount> free_cpu) const {
    return rules_.numa_is_hard() && !free_cpu.empty();
  }
  Fit shares_cpu_alone(std::uint32_t tasks, std::span<const Amount> free_cpu, Work& work) const;
  Fit found(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu, Work& work) const;
  Range searched_capacity(DeviceMask free, std::span<const Amount> free_cpu, Work* work = nullptr) const;
  std::uint8_t capacity_by_numa(DeviceMask free, std::span<const Amount> free_cpu) const;

  NodeRules rules_;
  FitTable table_;
  bool unclear_ = false;
  bool by_numa_ = false;  // the NUMA nodes can be asked one by one: no task uses two or minds another
};

}  // namespace cede
