// SPDX-License-Identifier: MIT
#pragma once

#include <hwloc.h>

#include <span>

#include "model/node_class.h"
#include "topology/import/hwloc_devices.h"

namespace cede {

// Fills `links` and `links_known` from hwloc's link matrices.
//
// Two devices are linked when both directions say so, or when both reach an NVSwitch: all switches of a
// machine are one fabric, although a capture shows a device's links only to the switches of its own board.
// Processors pass nothing on. A number of links is kept where bandwidth tells it; bandwidth itself is not
// comparable between captures. The catalogue wins over matrices that are known to be guesses. Links are known
// when every device appears in a matrix: a missing matrix is not a missing link.
void read_links(hwloc_topology_t topology, std::span<const HwlocDevice> devices, NodeClass& out);

}  // namespace cede
