// SPDX-License-Identifier: MIT
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/import/device_catalogue.h"

namespace cede {

// A device of the node class while hwloc's tree still exists.
struct HwlocDevice {
  hwloc_obj_t pci = nullptr;
  hwloc_obj_t os = nullptr;  // a partition's own OS device; null: the device is whole
  std::int16_t parent = -1;  // of a partition: which physical device, counted in PCI order
};

PciId pci_id(hwloc_obj_t pci);
// `0000:3b:00.0`
std::string pci_address(hwloc_obj_t pci);
// Whether a stands before b: domain, bus, device, function.
bool in_pci_order(hwloc_obj_t a, hwloc_obj_t b);

// All GPUs and their partitions. The order is that of PCI addresses, partitions of one device by their back
// end's number. It is never the order of a back end: CUDA, NVML and RSMI number the same devices differently,
// and a capture made without them must give the same class.
std::vector<HwlocDevice> find_devices(hwloc_topology_t topology);

// The number of the device that an OS or PCI object belongs to, or -1.
int device_of(std::span<const HwlocDevice> devices, hwloc_obj_t object);

// The catalogue's name, else what the capture calls it, else its PCI numbers as `10de:2330`.
std::string model_of(const HwlocDevice& device);

}  // namespace cede
