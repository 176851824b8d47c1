// SPDX-License-Identifier: MIT
#pragma once

#include <hwloc.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"

namespace cede {

// Where a PCI device sits; -1 or null where the capture does not tell.
struct HwlocPlace {
  int numa = -1;
  int socket = -1;
  hwloc_obj_t pcie = nullptr;         // stands for the switch complex: two devices with the same one share it
  hwloc_obj_t host_bridge = nullptr;  // likewise
};

// The places of one machine, in hwloc's logical order.
//
// A NUMA node is a place when it has CPUs: without any it is the memory of a GPU. Of several nodes over the
// same CPUs (fast and slow memory) the first is the place, and a node whose CPUs are divided among others is
// none.
class HwlocPlaces {
 public:
  explicit HwlocPlaces(hwloc_topology_t topology);

  std::size_t numa_nodes() const { return numa_.size(); }
  std::size_t sockets() const { return sockets_.size(); }
  // Of every NUMA node: its cores with at least one CPU in `allowed`; its CPUs where the capture shows no
  // cores.
  std::vector<std::uint32_t> cores(hwloc_const_cpuset_t allowed) const;
  HwlocPlace of(hwloc_obj_t pci) const;

 private:
  hwloc_topology_t topology_;
  std::vector<hwloc_obj_t> numa_;
  std::vector<hwloc_obj_t> sockets_;
};

inline constexpr std::size_t kMaxNics = 64;

// Turns an hwloc XML export into a node class; nothing of hwloc remains. False with one sentence in `why`,
// and `out` untouched, when the text breaks a rule of xml_scan.h, hwloc refuses it, or the machine has more
// than kMaxDevices devices or kMaxNics network adapters. Throws nothing but std::bad_alloc.
//
// * Devices are numbered in the order of their PCI addresses (hwloc_devices.h says why), partitions of a
// device one
//   after another with `parent` its number among the physical ones.
// * `numa` and `sockets` have an entry per NUMA node with CPUs and per package, also where no device is near;
// a
//   device whose capture does not tell its place is in none of them, likewise in `pcie` and `host_bridges`.
// * `cores` counts what the capture says jobs may use.
//
// The result depends on the text alone: not on the machine we run on, nor on hwloc's environment variables.
bool import_hwloc_xml(std::string_view xml, NodeClass& out, std::string& why);

}  // namespace cede
