// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/work.h"
#include "topology/fit/node_rules.h"

namespace cede {

// For every mask of free devices: how many tasks fit at once. Computed in advance, from devices alone; free
// cpu does not count.
class FitTable {
 public:
  static constexpr std::uint32_t kMaxTableDevices = 16;
  static constexpr std::uint8_t kNoLimit = 255;  // tasks without devices

  FitTable() = default;
  explicit FitTable(const NodeRules& rules);
  // An upper bound on the work to build a table.
  static std::uint64_t work_to_make(const NodeRules& rules);

  bool empty() const { return most_.empty(); }
  // The largest number of tasks that fit.
  std::uint8_t most(DeviceMask free) const { return most_[free & mask_]; }
  bool fits(DeviceMask free, std::uint32_t tasks) const {
    if (tasks == 0) return true;
    if (exact_.empty()) return tasks <= most(free) || most(free) == kNoLimit;
    return tasks <= kMaxTableDevices && (exact_[free & mask_] >> (tasks - 1) & 1) != 0;
  }

 private:
  DeviceMask mask_ = 0;
  std::vector<std::uint8_t> most_;
  // bit t-1: exactly t tasks fit; only set if fewer tasks may fail although more fit
  std::vector<std::uint16_t> exact_;
};

struct FitQuery {
  DeviceMask free = 0;
  std::uint32_t tasks = 0;
  std::span<const Amount> free_cpu;     // per NUMA node; empty: not checked
  std::uint32_t max_missed = kNoBound;  // how many preferences may be missed
  DeviceMask taken = 0;                 // devices of other tasks of the request on this node
  DeviceMask include = 0;               // devices, free or not, that the only task must have: a shared device
};

// Finds disjoint device sets for tasks of one shape with devices. The result is the first of all assignments,
// comparing the first task's devices, lowest first, then the second's, and so on. The search tries every set
// with the lowest remaining device, then skips that device. It remembers failed states, and of equivalent
// devices it takes the lowest first.
class FitSearch {
 public:
  // With a table, the search skips branches that the table rules out.
  FitSearch(const NodeRules& rules, const FitTable* table, const FitQuery& query, Work& work);

  Fit run();
  const std::vector<DeviceMask>& tasks() const { return chosen_; }
  EntrySet missed() const { return missed_; }

 private:
  // Everything that the rest of the search depends on.
  struct State {
    DeviceMask remaining;
    DeviceMask used;
    EntrySet missed;
    std::uint64_t spans;
    std::uint32_t left;
    bool operator==(const State&) const = default;
  };
  struct StateHash {
    std::size_t operator()(const State& state) const;
  };

  bool place(DeviceMask remaining, std::uint32_t left);
  bool try_place(DeviceMask remaining, std::uint32_t left);
  bool extend(DeviceMask set, DeviceMask candidates, DeviceMask remaining, std::uint32_t left);
  bool take(DeviceMask set, DeviceMask remaining, std::uint32_t left);
  bool finish();
  bool is_dead(DeviceMask remaining, std::uint32_t left) const;
  bool take_cpu(DeviceMask set);
  bool pack_spans(std::uint64_t& out) const;

  const NodeRules& rules_;
  const FitTable* table_;
  const FitQuery query_;
  Work& work_;
  const std::uint32_t devices_;
  const bool counts_cpu_;
  bool doubtful_ = false;  // some branch was not tried

  DeviceMask used_ = 0;
  EntrySet missed_ = 0;
  std::vector<DeviceMask> chosen_;
  std::vector<NumaSet> spans_;
  std::vector<NumaSet> span_names_;  // the spans seen so far, so that a state stores each in one byte
  std::unordered_set<State, StateHash> failed_;
};

}  // namespace cede
