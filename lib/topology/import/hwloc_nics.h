// SPDX-License-Identifier: MIT
#pragma once

#include <hwloc.h>

#include <span>

#include "model/node_class.h"
#include "topology/import/hwloc_devices.h"
#include "topology/import/hwloc_places.h"

namespace cede {

// Fills `nics` and `nics_known`, in the order of PCI addresses.
//
// On a machine with a fabric (InfiniBand, RoCE, Omni-Path, Slingshot, EFA) only its adapters count, because
// the management network is near nothing that matters; on others every Ethernet port does. A virtual function
// counts only where no adapter of its maker is a physical one, that is inside a virtual machine. `near` holds
// the devices at the nearest level where there are any: same PCIe switch, else same NUMA node, else same
// socket.
void read_nics(hwloc_topology_t topology, const HwlocPlaces& places, std::span<const HwlocPlace> devices,
               NodeClass& out);

}  // namespace cede
