// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/work.h"
#include "topology/fit/node_rules.h"

namespace cede {

// For every mask of free devices how many tasks fit into it at once, all of them tried beforehand. Devices
// alone decide; what is free of the cpu is not in it.
class FitTable {
 public:
  static constexpr std::uint32_t kMaxTableDevices = 16;
  static constexpr std::uint8_t kNoLimit = 255;  // tasks without devices

  FitTable() = default;
  explicit FitTable(const NodeRules& rules);
  // What making one costs at most.
  static std::uint64_t work_to_make(const NodeRules& rules);

  bool empty() const { return most_.empty(); }
  // The most tasks that fit.
  std::uint8_t most(DeviceMask free) const { return most_[free & mask_]; }
  bool fits(DeviceMask free, std::uint32_t tasks) const {
    if (tasks == 0) return true;
    if (exact_.empty()) return tasks <= most(free) || most(free) == kNoLimit;
    return tasks <= kMaxTableDevices && (exact_[free & mask_] >> (tasks - 1) & 1) != 0;
  }

 private:
  DeviceMask mask_ = 0;
  std::vector<std::uint8_t> most_;
  std::vector<std::uint16_t> exact_;  // bit t-1: exactly t fit; only where fewer may fail though more fit
};

}  // namespace cede
