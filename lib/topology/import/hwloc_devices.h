// SPDX-License-Identifier: MIT
#pragma once

#include <hwloc.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/node_class.h"
#include "topology/import/device_catalogue.h"
#include "topology/import/hwloc_import.h"

namespace cede {

// Which pairs of devices are linked, as the importers find it, and the equivalent link groups.
class LinkPairs {
 public:
  explicit LinkPairs(std::size_t devices) : size_(devices), lanes_(devices * devices) {}

  // `lanes`: how many links join the pair; 0: at least one.
  void link(std::size_t a, std::size_t b, std::uint64_t lanes);
  // nullopt if the devices are not linked.
  const std::optional<std::uint16_t>& lanes(std::size_t a, std::size_t b) const {
    return lanes_[a * size_ + b];
  }

  // Devices that are mutually joined by the same number of links form one group. Otherwise each pair is a
  // group. Sorted as in the compact form.
  std::vector<NodeClass::LinkGroup> groups() const;

 private:
  void add_groups(std::uint16_t lanes, std::vector<NodeClass::LinkGroup>& out) const;

  std::size_t size_;
  std::vector<std::optional<std::uint16_t>> lanes_;
};

// A device of the node class while hwloc's tree still exists.
struct HwlocDevice {
  hwloc_obj_t pci = nullptr;
  hwloc_obj_t os = nullptr;  // a partition's own OS device; null: a whole device
  std::int16_t parent = -1;  // for a partition: its physical device, counted in PCI order
};

PciId pci_id(hwloc_obj_t pci);
// `0000:3b:00.0`
std::string pci_address(hwloc_obj_t pci);
// Whether a comes before b: domain, bus, device, function.
bool in_pci_order(hwloc_obj_t a, hwloc_obj_t b);

// All GPUs and their partitions, in the order of PCI addresses; partitions of one device by the number of
// their back end. The order never depends on a back end: CUDA, NVML and RSMI number the same devices
// differently, and a capture made without them must give the same class.
std::vector<HwlocDevice> find_devices(hwloc_topology_t topology);

// The number of the device that contains an OS or PCI object, or -1.
int device_of(std::span<const HwlocDevice> devices, hwloc_obj_t object);

// The catalogue's name, else the capture's name, else the PCI numbers as `10de:2330`.
std::string model_of(const HwlocDevice& device);

// Fills `nics` and `nics_known`, in the order of PCI addresses.
//
// On a machine with a fabric (InfiniBand, RoCE, Omni-Path, Slingshot, EFA) only its adapters count, because
// the management network does not matter for placement. On other machines every Ethernet port counts. A
// virtual function counts only if no adapter of its maker is a physical one, that is, inside a virtual
// machine. `near` holds the devices at the nearest level that has any: same PCIe switch, else same NUMA node,
// else same socket.
void read_nics(hwloc_topology_t topology, const HwlocPlaces& places, std::span<const HwlocPlace> devices,
               NodeClass& out);

// Fills `links` and `links_known` from hwloc's link matrices.
//
// Two devices are linked if both directions say so, or if both reach an NVSwitch. All switches of a machine
// are one fabric, although a capture shows a device's links only to the switches of its own board. Processors
// do not forward traffic. The number of links is kept if the bandwidth reveals it; bandwidth itself is not
// comparable between captures. The catalogue overrides matrices that are known to be guesses. Links are known
// if every device appears in a matrix: a missing matrix is not a missing link.
void read_links(hwloc_topology_t topology, std::span<const HwlocDevice> devices, NodeClass& out);

}  // namespace cede
