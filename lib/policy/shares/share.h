// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/amount.h"

namespace cede {

// A part of what a group has of one resource, in 10^-12 of it. A demand can be many times the whole.
using Share = std::int64_t;

inline constexpr Share kFullShare = 1'000'000'000'000;
inline constexpr Share kNoShare = -1;
// Differences up to this count as equal in every comparison.
inline constexpr Share kSameShare = 1'000;
// Beyond a million times the whole nothing changes any more: no share comes near it, and sums of many stay in
// range.
inline constexpr Share kMostShare = 1'000'000 * kFullShare;

// Rounded down. Of a resource the group has nothing of, every share is zero: it takes no part in any
// comparison.
constexpr Share share_of(Total amount, Total capacity) {
  if (amount <= 0 || capacity <= 0) return 0;
  const Total times = amount / capacity;
  if (times >= kMostShare / kFullShare) return kMostShare;
  return static_cast<Share>(times * kFullShare + amount % capacity * kFullShare / capacity);
}

// Less by more than counts as equal. Wide, because a multiple of a share need not be one.
constexpr bool share_less(Wide a, Wide b) { return b - a > kSameShare; }

// Whether a usage is more of its fair share than another is of its own, by more than counts as equal.
constexpr bool more_satisfied(Wide usage, Wide fair, Wide other_usage, Wide other_fair) {
  return usage * other_fair - other_usage * fair > fair * other_fair * kSameShare / kFullShare;
}

inline Share dominant(std::span<const Share> shares) {
  return shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
}

}  // namespace cede
