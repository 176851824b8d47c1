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

// Divides a queue's share among its children, given in the byte order of their names. `out` has a row of
// shares for each.
//
// Of each resource a child first gets its guarantee; where these do not fit, the guarantee or h × weight,
// whichever is less, with the largest h that fits. Then a common level rises from zero, and a child has of
// each resource what it got first, or cap × level × weight / its largest cap if that is more, never above
// the cap. Where a resource is used up, children stop at the level from which on they would need more of it,
// that is, at once or when the level catches up with what they got first; the others go on. In the end
// shares are rounded down and what that leaves of a used-up resource goes one by one to those below their
// cap, in the order given.
void divide_share(std::span<const Share> whole, std::span<const ShareClaim> claims, std::span<Share> out);

}  // namespace cede
