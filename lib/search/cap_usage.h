// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/rule.h"

namespace cede {

// The linear limits of the caps that all candidates together would exceed, and what each candidate takes of
// them. A set may keep all limits and still break a cap that is not linear.
class CapLimits {
 public:
  using Index = std::uint32_t;  // of a candidate

  CapLimits() = default;
  CapLimits(std::span<const Cap* const> caps, std::span<const Unit* const> candidates);

  // A limit and what a candidate takes of it.
  struct Share {
    std::uint32_t limit = 0;
    Total amount = 0;
  };
  std::span<const Share> shares(Index candidate) const {
    return {shares_.data() + first_[candidate], shares_.data() + first_[candidate + 1]};
  }
  std::size_t size() const { return most_.size(); }
  Total most(std::uint32_t limit) const { return most_[limit]; }

 private:
  std::vector<Total> most_;           // by limit
  std::vector<std::uint32_t> first_;  // by candidate: its first share; one more at the end
  std::vector<Share> shares_;
};

// How much of every limit a set of candidates takes, kept up to date while candidates are added and removed.
class CapUsage {
 public:
  using Index = CapLimits::Index;

  explicit CapUsage(const CapLimits& limits) : limits_(&limits), taken_(limits.size(), 0) {}

  // Whether the set keeps every limit with this candidate added.
  bool fits(Index candidate) const;
  // The limits that the set exceeds: the first one, or the number of limits if there is none.
  std::size_t first_exceeded() const;
  void add(Index candidate) { change(candidate, 1); }
  void remove(Index candidate) { change(candidate, -1); }

 private:
  void change(Index candidate, int sign);

  const CapLimits* limits_;
  std::vector<Total> taken_;  // by limit
};

}  // namespace cede
