// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_import.h"

#include <hwloc.h>
#include <algorithm>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/import/hwloc_devices.h"
#include "topology/import/xml_reader.h"

namespace cede {

namespace {

bool is_memory_of_cpus(hwloc_obj_t node) {
  return !hwloc_bitmap_iszero(node->complete_cpuset) &&
         (!node->subtype || std::string_view(node->subtype) != "GPUMemory");
}

// Whether another NUMA node makes this one redundant as a place: one inside it, or an earlier one with the
// same CPUs.
bool is_covered(hwloc_obj_t node, hwloc_obj_t other) {
  if (node == other || !hwloc_bitmap_isincluded(other->complete_cpuset, node->complete_cpuset)) return false;
  return !hwloc_bitmap_isequal(other->complete_cpuset, node->complete_cpuset) ||
         other->logical_index < node->logical_index;
}

// A device near several places has no known place: its capture only names the machine or the socket.
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
  // A port of the CPU leads to one device or to a switch, so devices that share a port share a switch. A
  // device without a bridge is on the root bus itself, unless its bus number shows that the capture left the
  // bridges out.
  if (port) {
    place.pcie = port;
  } else if (place.host_bridge &&
             place.host_bridge->attr->bridge.downstream.pci.secondary_bus == pci->attr->pcidev.bus) {
    place.pcie = pci;
  }
  return place;
}

namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

// hwloc 2.9 does not check most of its allocations: if memory runs out inside it, the process crashes. So
// this class first allocates what hwloc may need, where a failure is an exception, and frees it again. It
// keeps the last piece so that the allocator does not return the others to the system. hwloc finds the memory
// unless another thread takes it first.
class MemoryReserve {
 public:
  explicit MemoryReserve(std::size_t bytes) {
    std::vector<std::unique_ptr<char[]>> pieces(bytes / kPiece + 1);
    for (std::unique_ptr<char[]>& piece : pieces) piece.reset(new char[kPiece]);
    last_ = std::move(pieces.back());
  }

 private:
  // Below the size that allocators map separately and unmap at once.
  static constexpr std::size_t kPiece = std::size_t{64} << 10;
  std::unique_ptr<char[]> last_;
};

// Texts built to need much memory take six times their size, real ones four. The rest (components and tables
// of hwloc) is far below a megabyte.
std::size_t memory_for(const CleanXml& clean) { return (std::size_t{1} << 20) + 16 * clean.text.size(); }

// Every step is checked: a load after a failed set_xmlbuffer would discover the local machine. The mark is a
// second check.
Topology load_topology(const std::string& text, std::string& why) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) < 0) throw std::bad_alloc();
  Topology topology(raw);
  // Without the first flag, CPUs that jobs may not use would vanish together with the devices near them.
  // Without the second, all devices would.
  if (hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) < 0 ||
      hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL) < 0) {
    why = "this hwloc cannot be told to keep devices";
    return nullptr;
  }
  if (hwloc_topology_set_xmlbuffer(raw, text.c_str(), static_cast<int>(text.size() + 1)) < 0 ||
      hwloc_topology_load(raw) < 0) {
    why = "hwloc refuses this XML; 'HWLOC_XML_VERBOSE=1 lstopo -i FILE.xml' tells why";
    return nullptr;
  }
  if (!hwloc_obj_get_info_by_name(hwloc_get_root_obj(raw), kScanMark)) {
    why =
        "hwloc loaded something else than this XML; is one of its variables (HWLOC_XMLFILE, HWLOC_SYNTHETIC, "
        "HWLOC_FSROOT) set in the environment?";
    return nullptr;
  }
  return topology;
}

// One mask per key, in the order of their lowest devices. Devices without a key are in no mask.
std::vector<DeviceMask> group_by(std::span<const HwlocPlace> places, hwloc_obj_t HwlocPlace::*key) {
  std::vector<std::pair<hwloc_obj_t, DeviceMask>> groups;
  for (std::size_t i = 0; i < places.size(); ++i) {
    hwloc_obj_t own = places[i].*key;
    if (!own) continue;
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == own; });
    if (found == groups.end()) found = groups.insert(groups.end(), {own, 0});
    found->second |= DeviceMask{1} << i;
  }
  std::vector<DeviceMask> masks;
  for (const auto& group : groups) masks.push_back(group.second);
  return masks;
}

std::vector<DeviceMask> group_by(std::span<const HwlocPlace> places, int HwlocPlace::*key,
                                 std::size_t count) {
  std::vector<DeviceMask> masks(count);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].*key >= 0) masks[static_cast<std::size_t>(places[i].*key)] |= DeviceMask{1} << i;
  }
  return masks;
}

Bitmap allowed_cpus(const CleanXml& clean) {
  Bitmap cpus(clean.allowed_cpuset.empty() ? hwloc_bitmap_alloc_full() : hwloc_bitmap_alloc());
  if (!cpus) throw std::bad_alloc();
  if (!clean.allowed_cpuset.empty()) hwloc_bitmap_sscanf(cpus.get(), clean.allowed_cpuset.c_str());
  return cpus;
}

}  // namespace

bool import_hwloc_xml(std::string_view xml, NodeClass& out, std::string& why) {
  CleanXml clean;
  if (!scan_hwloc_xml(xml, clean, why)) return false;
  const MemoryReserve reserve(memory_for(clean));
  const Topology topology = load_topology(clean.text, why);
  if (!topology) return false;

  const std::vector<HwlocDevice> devices = find_devices(topology.get());
  if (devices.size() > kMaxDevices) {
    why = "the machine has " + std::to_string(devices.size()) + " devices; at most " +
          std::to_string(kMaxDevices) + " are supported";
    return false;
  }
  const HwlocPlaces places(topology.get());
  std::vector<HwlocPlace> device_places;
  NodeClass result;
  for (const HwlocDevice& device : devices) {
    result.devices.push_back({model_of(device), pci_address(device.pci), device.parent});
    device_places.push_back(places.of(device.pci));
  }
  result.numa = group_by(device_places, &HwlocPlace::numa, places.numa_nodes());
  result.sockets = group_by(device_places, &HwlocPlace::socket, places.sockets());
  result.pcie = group_by(device_places, &HwlocPlace::pcie);
  result.host_bridges = group_by(device_places, &HwlocPlace::host_bridge);
  result.cores = places.cores(allowed_cpus(clean).get());
  read_links(topology.get(), devices, result);
  read_nics(topology.get(), places, device_places, result);
  if (result.nics.size() > kMaxNics) {
    why = "the machine has " + std::to_string(result.nics.size()) + " network adapters; at most " +
          std::to_string(kMaxNics) + " are supported";
    return false;
  }
  out = std::move(result);
  return true;
}

}  // namespace cede
