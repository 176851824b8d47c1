// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_places.h"

#include <algorithm>
#include <string_view>

namespace cede {
namespace {

bool is_memory_of_cpus(hwloc_obj_t node) {
  return !hwloc_bitmap_iszero(node->complete_cpuset) &&
         (!node->subtype || std::string_view(node->subtype) != "GPUMemory");
}

// Whether another node makes this one superfluous as a place: one inside it, or an earlier one over the same
// CPUs.
bool is_covered(hwloc_obj_t node, hwloc_obj_t other) {
  if (node == other || !hwloc_bitmap_isincluded(other->complete_cpuset, node->complete_cpuset)) return false;
  return !hwloc_bitmap_isequal(other->complete_cpuset, node->complete_cpuset) ||
         other->logical_index < node->logical_index;
}

// A device near several places has no known one: its capture says no more than the machine or the socket.
int only_near(const std::vector<hwloc_obj_t>& places, hwloc_const_cpuset_t cpus) {
  int found = -1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!hwloc_bitmap_intersects(places[i]->complete_cpuset, cpus)) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

}  // namespace

HwlocPlaces::HwlocPlaces(hwloc_topology_t topology) : topology_(topology) {
  std::vector<hwloc_obj_t> nodes;
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    if (is_memory_of_cpus(node)) nodes.push_back(node);
  }
  for (hwloc_obj_t node : nodes) {
    const bool covered =
        std::any_of(nodes.begin(), nodes.end(), [&](hwloc_obj_t other) { return is_covered(node, other); });
    if (!covered) numa_.push_back(node);
  }
  for (hwloc_obj_t package = nullptr;
       (package = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, package)) != nullptr;) {
    sockets_.push_back(package);
  }
}

std::vector<std::uint32_t> HwlocPlaces::cores(hwloc_const_cpuset_t allowed) const {
  const bool has_cores = hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<std::uint32_t> cores(numa_.size());
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology_, type, core)) != nullptr;) {
    if (!hwloc_bitmap_intersects(core->cpuset, allowed)) continue;
    if (const int node = only_near(numa_, core->cpuset); node >= 0) ++cores[static_cast<std::size_t>(node)];
  }
  return cores;
}

HwlocPlace HwlocPlaces::of(hwloc_obj_t pci) const {
  HwlocPlace place;
  hwloc_obj_t port = nullptr;  // the bridge nearest to the CPU
  hwloc_obj_t object = pci->parent;
  for (; object && object->type == HWLOC_OBJ_BRIDGE; object = object->parent) {
    if (object->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI) {
      port = object;
    } else {
      place.host_bridge = object;
    }
  }
  if (object) {
    place.numa = only_near(numa_, object->complete_cpuset);
    place.socket = only_near(sockets_, object->complete_cpuset);
  }
  // A port of the CPU leads to one device or to a switch, so whatever shares a port shares a switch. Without
  // a bridge a device stands on the root bus itself, unless its bus number betrays that the capture left the
  // bridges out.
  if (port) {
    place.pcie = port;
  } else if (place.host_bridge &&
             place.host_bridge->attr->bridge.downstream.pci.secondary_bus == pci->attr->pcidev.bus) {
    place.pcie = pci;
  }
  return place;
}

}  // namespace cede
