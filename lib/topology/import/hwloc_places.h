// SPDX-License-Identifier: MIT
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <vector>

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

}  // namespace cede
