// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

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

// Water filling in a queue whose share is divided (see divide_share): finds the level at which each kind of
// claim stops. Equal claims are one kind with a count.
//
// The exact level is a fraction too long to compute (a sum of ratios with as many denominators as there are
// kinds). So the level has steps of 2^-64 of a share's unit, the progress of a kind towards its cap has steps
// of 2^-86, and a share within 2^-30 below a whole number is that number.
class WaterFilling {
 public:
  explicit WaterFilling(std::span<const Share> whole);

  // `first` is what each claim has before the level rises. All of them together do not exceed the whole.
  void add_kind(std::span<const Share> cap, std::span<const Share> first, Amount weight, std::uint32_t count);
  void rise();

  // The final share of a claim of this kind, rounded down.
  Share share(std::size_t kind, std::size_t resource) const;
  // Whether nothing of the resource was left before rounding.
  bool used_up(std::size_t resource) const;

 private:
  struct Kind {
    std::uint64_t largest = 0;  // the largest of its caps
    UnsignedWide weight = 0;
    UnsignedWide top = 0;   // the level from which on the kind gets no more
    UnsignedWide stop = 0;  // how far it may go; less than its cap if a resource is used up
    UnsignedWide count = 0;
  };

  UnsignedWide reached(const Kind& kind, UnsignedWide level) const;
  UnsignedWide amount(std::size_t kind, std::size_t resource, UnsignedWide reached) const;
  bool fits(UnsignedWide level);
  UnsignedWide extrapolate(UnsignedWide level, UnsignedWide top) const;
  UnsignedWide first_that_does_not_fit(UnsignedWide low, UnsignedWide high);
  void stop_at(UnsignedWide level);

  std::span<const Share> whole_;
  std::vector<Kind> kinds_;
  std::vector<std::uint64_t> caps_;  // kind by kind
  std::vector<std::uint64_t> firsts_;
  std::vector<bool> stopped_;  // by resource: no kind takes more of it
  std::vector<UnsignedWide> totals_;
};

// One child of the queue whose share is divided. Its guarantee never exceeds its cap.
struct ShareClaim {
  std::span<const Share> cap;        // by resource
  std::span<const Share> guarantee;  // by resource, at most the cap
  Amount weight = kOne;
};

// Divides a queue's share among its children, which are in the byte order of their names. `out` has one row
// of shares per child.
//
// Step 1: of each resource a child gets its guarantee. If the guarantees do not fit, it gets min(guarantee, h
// × weight) with the largest h that fits.
// Step 2 is water filling: a common level rises from zero. A child has of each resource the amount from step
// 1, or cap × level × weight / its largest cap if that is more, never above the cap. When a resource is used
// up, each child stops at the level from which on it would need more of that resource: at once, or when the
// level catches up with what it got in step 1. The other children go on.
// Step 3: shares are rounded down. The remainder of a used-up resource goes one by one to children below
// their cap, in the given order.
void divide_share(std::span<const Share> whole, std::span<const ShareClaim> claims, std::span<Share> out);

}  // namespace cede
