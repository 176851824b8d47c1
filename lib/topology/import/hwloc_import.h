// SPDX-License-Identifier: MIT
#pragma once

#include <hwloc.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"

namespace cede {

// Where a PCI device is located; -1 or null if the capture does not say.
struct HwlocPlace {
  int numa = -1;
  int socket = -1;
  hwloc_obj_t pcie = nullptr;  // identifies the switch complex: two devices with the same value share it
  hwloc_obj_t host_bridge = nullptr;  // likewise
};

// The places of one machine, in hwloc's logical order.
//
// A NUMA node with CPUs is a place; one without CPUs is the memory of a GPU. Among several NUMA nodes with
// the same CPUs (fast and slow memory) the first is the place. A NUMA node whose CPUs are divided among
// other NUMA nodes is not a place.
class HwlocPlaces {
 public:
  explicit HwlocPlaces(hwloc_topology_t topology);

  std::size_t numa_nodes() const { return numa_.size(); }
  std::size_t sockets() const { return sockets_.size(); }
  // For every NUMA node: its cores with at least one CPU in `allowed`, or its CPUs if the capture shows no
  // cores.
  std::vector<std::uint32_t> cores(hwloc_const_cpuset_t allowed) const;
  HwlocPlace of(hwloc_obj_t pci) const;

 private:
  hwloc_topology_t topology_;
  std::vector<hwloc_obj_t> numa_;
  std::vector<hwloc_obj_t> sockets_;
};

inline constexpr std::size_t kMaxNics = 64;

// Turns an hwloc XML export into a node class that keeps no hwloc object. Returns false, with one sentence in
// `why` and `out` untouched, if the text breaks a rule of xml_reader.h, if hwloc refuses it, or if the
// machine has more than kMaxDevices devices or kMaxNics network adapters. Throws only std::bad_alloc.
//
// * Devices are numbered in the order of their PCI addresses (hwloc_devices.h explains why). Partitions of a
//   device are consecutive; `parent` is its number among the physical devices.
// * `numa` and `sockets` have an entry per NUMA node with CPUs and per package, even if no device is near. A
//   device without a known place is in none of them; the same holds for `pcie` and `host_bridges`.
// * `cores` counts the cores that jobs may use according to the capture.
//
// The result depends on the text alone: not on the local machine, nor on hwloc's environment variables.
bool import_hwloc_xml(std::string_view xml, NodeClass& out, std::string& why);

}  // namespace cede
