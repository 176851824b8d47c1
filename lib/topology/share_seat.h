// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "topology/node_fit.h"

namespace cede {

// One task that wants some whole devices (terms().devices less one of the NodeFit asked) and a share of one
// more. The entries of the requirement apply to all of them, the shared one included.
struct ShareAsk {
  DeviceMask free = 0;                  // devices of which nobody holds anything
  std::span<const std::uint16_t> used;  // thousandths held of each device by those who share it
  DeviceMask held = 0;                  // devices held whole
  std::uint32_t share = 0;              // thousandths, 1..999
  DeviceMask taken = 0;                 // devices of the request's earlier tasks on this node
  std::span<const Amount> free_cpu;     // see NodeFit; without what the earlier tasks take
};

struct ShareSeat {
  DeviceMask whole = 0;
  std::uint32_t device = kMaxDevices;  // the shared one
  EntrySet missed = 0;                 // preferences missed
};

// The seat that misses the fewest preferences; of these the one on a device shared already, with the least
// room that does, the lowest of equals; else on the lowest free device; then the lowest whole devices. Tasks
// are seated one by one, so several that compete for devices may fit in another order only.
Fit seat_share(const NodeFit& fit, const ShareAsk& ask, ShareSeat& out);

}  // namespace cede
