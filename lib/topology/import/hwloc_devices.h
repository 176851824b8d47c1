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

// Which devices are linked, pair by pair, as importers find it out; and the link groups that say the same.
class LinkPairs {
 public:
  explicit LinkPairs(std::size_t devices) : size_(devices), lanes_(devices * devices) {}

  // `lanes`: how many links join the pair; 0: some.
  void link(std::size_t a, std::size_t b, std::uint64_t lanes);
  // Nothing where they are not linked.
  const std::optional<std::uint16_t>& lanes(std::size_t a, std::size_t b) const {
    return lanes_[a * size_ + b];
  }

  // Devices mutually joined by equally many links are one group; where the links do not close, each pair is
  // one. Sorted as the compact form sorts them.
  std::vector<NodeClass::LinkGroup> groups() const;

 private:
  void add_groups(std::uint16_t lanes, std::vector<NodeClass::LinkGroup>& out) const;

  std::size_t size_;
  std::vector<std::optional<std::uint16_t>> lanes_;
};

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

// Fills `nics` and `nics_known`, in the order of PCI addresses.
//
// On a machine with a fabric (InfiniBand, RoCE, Omni-Path, Slingshot, EFA) only its adapters count, because
// the management network is near nothing that matters; on others every Ethernet port does. A virtual function
// counts only where no adapter of its maker is a physical one, that is inside a virtual machine. `near` holds
// the devices at the nearest level where there are any: same PCIe switch, else same NUMA node, else same
// socket.
void read_nics(hwloc_topology_t topology, const HwlocPlaces& places, std::span<const HwlocPlace> devices,
               NodeClass& out);

// Fills `links` and `links_known` from hwloc's link matrices.
//
// Two devices are linked when both directions say so, or when both reach an NVSwitch: all switches of a
// machine are one fabric, although a capture shows a device's links only to the switches of its own board.
// Processors pass nothing on. A number of links is kept where bandwidth tells it; bandwidth itself is not
// comparable between captures. The catalogue wins over matrices that are known to be guesses. Links are known
// when every device appears in a matrix: a missing matrix is not a missing link.
void read_links(hwloc_topology_t topology, std::span<const HwlocDevice> devices, NodeClass& out);

}  // namespace cede
