// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/rule.h"

namespace cede {

// How much of every linear limit of the caps a set of candidates takes, kept up to date while candidates are
// added and removed. A set may keep all limits and still break a cap that is not linear.
class CapUsage {
 public:
  using Index = std::uint32_t;  // of a candidate

  CapUsage() = default;
  CapUsage(std::span<const Cap* const> caps, std::span<const Unit* const> candidates);

  bool any() const { return !most_.empty(); }
  // Whether the set keeps every limit with this candidate added.
  bool fits(Index candidate) const;
  void add(Index candidate) { change(candidate, 1); }
  void remove(Index candidate) { change(candidate, -1); }
  void clear();

  // A limit and what a candidate takes of it.
  struct Share {
    std::uint32_t limit = 0;
    Total amount = 0;
  };
  std::span<const Share> shares(Index candidate) const {
    return {shares_.data() + first_[candidate], shares_.data() + first_[candidate + 1]};
  }
  std::size_t limits() const { return most_.size(); }
  Total most(std::uint32_t limit) const { return most_[limit]; }
  Total taken(std::uint32_t limit) const { return taken_[limit]; }

 private:
  void change(Index candidate, int sign);

  std::vector<Total> most_;           // by limit
  std::vector<Total> taken_;          // by limit
  std::vector<std::uint32_t> first_;  // by candidate: its first share; one more at the end
  std::vector<Share> shares_;
};

}  // namespace cede
