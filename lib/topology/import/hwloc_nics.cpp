// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_nics.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace cede {
namespace {

constexpr std::uint16_t kCray = 0x17db;

struct Adapter {
  hwloc_obj_t pci = nullptr;
  std::string_view name;
  bool is_fabric = false;
};

bool read_adapter(hwloc_obj_t pci, Adapter& out) {
  const auto& attributes = pci->attr->pcidev;
  std::string_view fabric;
  std::string_view network;
  for (hwloc_obj_t os = pci->io_first_child; os; os = os->next_sibling) {
    if (os->type != HWLOC_OBJ_OS_DEVICE || !os->name) continue;
    if (os->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS && fabric.empty()) fabric = os->name;
    if (os->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK && network.empty()) network = os->name;
  }
  const bool fabric_class = attributes.class_id == 0x0207 || attributes.class_id == 0x0208;
  const bool is_slingshot = attributes.vendor_id == kCray && attributes.class_id >> 8 == 0x02;
  out.pci = pci;
  out.name = fabric.empty() ? network : fabric;
  out.is_fabric = !fabric.empty() || fabric_class || is_slingshot;
  return out.is_fabric || (attributes.class_id == 0x0200 && !network.empty());
}

// Names made from a hardware address differ on machines that are alike.
std::string stable_name(const Adapter& adapter) {
  if (adapter.name.empty() || adapter.name.starts_with("enx") || !name_fault(adapter.name).empty()) return {};
  return std::string(adapter.name);
}

template <class Same>
DeviceMask select(std::span<const HwlocPlace> devices, Same same) {
  DeviceMask mask = 0;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (same(devices[i])) mask |= DeviceMask{1} << i;
  }
  return mask;
}

void find_near(const HwlocPlace& nic, std::span<const HwlocPlace> devices, NodeClass::Nic& out) {
  out.level = LinkClass::pcie;
  out.near = select(devices, [&](const HwlocPlace& d) { return nic.pcie && d.pcie == nic.pcie; });
  if (out.near != 0) return;
  out.level = LinkClass::numa;
  out.near = select(devices, [&](const HwlocPlace& d) { return nic.numa >= 0 && d.numa == nic.numa; });
  if (out.near != 0) return;
  out.level = LinkClass::socket;
  out.near = select(devices, [&](const HwlocPlace& d) { return nic.socket >= 0 && d.socket == nic.socket; });
}

}  // namespace

void read_nics(hwloc_topology_t topology, const HwlocPlaces& places, std::span<const HwlocPlace> devices,
               NodeClass& out) {
  std::vector<Adapter> adapters;
  for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
    out.nics_known = true;  // a capture with PCI devices shows adapters if there are any
    if (Adapter adapter; read_adapter(pci, adapter)) adapters.push_back(adapter);
  }
  if (std::any_of(adapters.begin(), adapters.end(), [](const Adapter& a) { return a.is_fabric; })) {
    std::erase_if(adapters, [](const Adapter& a) { return !a.is_fabric; });
  }
  std::vector<std::uint16_t> makers;
  for (const Adapter& adapter : adapters) {
    if (const PciId id = pci_id(adapter.pci); !is_virtual_function(id)) makers.push_back(id.vendor);
  }
  std::sort(makers.begin(), makers.end());
  std::erase_if(adapters, [&](const Adapter& adapter) {
    const PciId id = pci_id(adapter.pci);
    return is_virtual_function(id) && std::binary_search(makers.begin(), makers.end(), id.vendor);
  });
  std::stable_sort(adapters.begin(), adapters.end(),
                   [](const Adapter& a, const Adapter& b) { return in_pci_order(a.pci, b.pci); });
  for (const Adapter& adapter : adapters) {
    NodeClass::Nic nic;
    nic.name = stable_name(adapter);
    find_near(places.of(adapter.pci), devices, nic);
    out.nics.push_back(std::move(nic));
  }
}

}  // namespace cede
