// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "policy/shares/share.h"

namespace cede {

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
