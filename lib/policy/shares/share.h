// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/amount.h"

namespace cede {

// A part of the group's capacity of one resource, in 10^-12 of it. A demand can be many times the capacity.
using Share = std::int64_t;

inline constexpr Share kFullShare = 1'000'000'000'000;
inline constexpr Share kNoShare = -1;
// Differences up to this value count as equal in every comparison.
inline constexpr Share kSameShare = 1'000;
// Larger values are cut to a million times the capacity. No fair share comes near it, and sums of many stay
// in range.
inline constexpr Share kMostShare = 1'000'000 * kFullShare;

// Rounded down. If the group has none of a resource, every share of it is zero and it affects no comparison.
constexpr Share share_of(Total amount, Total capacity) {
  if (amount <= 0 || capacity <= 0) return 0;
  const Total times = amount / capacity;
  if (times >= kMostShare / kFullShare) return kMostShare;
  return static_cast<Share>(times * kFullShare + amount % capacity * kFullShare / capacity);
}

// Less, by more than the tolerance. Wide, because a multiple of a share may exceed the range of a share.
constexpr bool share_less(Wide a, Wide b) { return b - a > kSameShare; }

// Whether usage / fair exceeds other_usage / other_fair by more than the tolerance.
constexpr bool more_satisfied(Wide usage, Wide fair, Wide other_usage, Wide other_fair) {
  return usage * other_fair - other_usage * fair > fair * other_fair * kSameShare / kFullShare;
}

inline Share dominant(std::span<const Share> shares) {
  return shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
}

}  // namespace cede
