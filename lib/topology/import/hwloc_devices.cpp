// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_devices.h"

#include <hwloc/distances.h>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/text.h"

namespace cede {

void LinkPairs::link(std::size_t a, std::size_t b, std::uint64_t lanes) {
  if (a == b) return;
  const auto kept = static_cast<std::uint16_t>(std::min<std::uint64_t>(lanes, 0xffff));
  lanes_[a * size_ + b] = kept;
  lanes_[b * size_ + a] = kept;
}

void LinkPairs::add_groups(std::uint16_t lanes, std::vector<NodeClass::LinkGroup>& out) const {
  std::vector<DeviceMask> peers(size_);
  for (std::size_t a = 0; a < size_; ++a) {
    for (std::size_t b = 0; b < size_; ++b) {
      if (lanes_[a * size_ + b] == lanes) peers[a] |= DeviceMask{1} << b;
    }
  }
  for (std::size_t a = 0; a < size_; ++a) {
    const DeviceMask self = DeviceMask{1} << a;
    const DeviceMask group = peers[a] | self;
    bool closed = peers[a] != 0;
    for (DeviceMask rest = peers[a]; rest != 0; rest &= rest - 1) {
      const int b = std::countr_zero(rest);
      closed = closed && (peers[static_cast<std::size_t>(b)] | DeviceMask{1} << b) == group;
    }
    for (DeviceMask rest = peers[a] & ~(self | (self - 1)); !closed && rest != 0; rest &= rest - 1) {
      out.push_back({LinkClass::nvl, self | (rest & -rest), lanes});
    }
    if (closed && std::countr_zero(group) == static_cast<int>(a))
      out.push_back({LinkClass::nvl, group, lanes});
  }
}

std::vector<NodeClass::LinkGroup> LinkPairs::groups() const {
  std::vector<std::uint16_t> counts;
  for (const std::optional<std::uint16_t>& lanes : lanes_) {
    if (lanes) counts.push_back(*lanes);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::vector<NodeClass::LinkGroup> out;
  for (const std::uint16_t lanes : counts) add_groups(lanes, out);
  std::sort(out.begin(), out.end(), [](const NodeClass::LinkGroup& a, const NodeClass::LinkGroup& b) {
    return std::tie(a.link, a.devices, a.lanes) < std::tie(b.link, b.devices, b.lanes);
  });
  return out;
}

namespace {

// Back ends that name devices for computing. Those that see partitions best come first.
constexpr std::array<std::string_view, 5> kBackEnds{"rsmi", "nvml", "cuda", "ze", "opencl"};

// `rsmi12` is number 12 of back end `rsmi`. `opencl1d0` is number 0 of `opencl1d`, because each OpenCL
// platform lists the same devices again.
struct BackEndName {
  std::string_view back_end;
  std::uint32_t number = 0;
  std::size_t rank = 0;  // index in kBackEnds
};

bool parse_back_end(hwloc_obj_t os, BackEndName& out) {
  if (os->type != HWLOC_OBJ_OS_DEVICE || !os->name) return false;
  const std::string_view name = os->name;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const auto* const found = std::find_if(kBackEnds.begin(), kBackEnds.end(), [&](std::string_view known) {
    return name.starts_with(known) &&
           (known == "opencl" ? name.size() > known.size() : digits == known.size());
  });
  if (found == kBackEnds.end()) return false;
  const auto parsed = std::from_chars(name.data() + digits, name.data() + name.size(), out.number);
  out.back_end = name.substr(0, digits);
  out.rank = static_cast<std::size_t>(found - kBackEnds.begin());
  return parsed.ec == std::errc{};
}

bool is_device(hwloc_obj_t pci) {
  for (hwloc_obj_t os = pci->io_first_child; os; os = os->next_sibling) {
    BackEndName name;
    if (parse_back_end(os, name)) return true;
    if (os->type == HWLOC_OBJ_OS_DEVICE && os->attr->osdev.type == HWLOC_OBJ_OSDEV_COPROC) return true;
  }
  return is_gpu_by_number(pci_id(pci), pci->attr->pcidev.class_id);
}

// The OS devices that are partitions of this PCI device, from the back end that sees most. A single one is
// the device itself.
std::vector<hwloc_obj_t> find_partitions(hwloc_obj_t pci) {
  struct Seen {
    BackEndName name;
    hwloc_obj_t os;
  };
  std::vector<Seen> seen;
  for (hwloc_obj_t os = pci->io_first_child; os; os = os->next_sibling) {
    BackEndName name;
    if (parse_back_end(os, name)) seen.push_back({name, os});
  }
  std::stable_sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return std::tie(a.name.rank, a.name.back_end, a.name.number) <
           std::tie(b.name.rank, b.name.back_end, b.name.number);
  });
  std::vector<hwloc_obj_t> best;
  for (std::size_t from = 0, to = 0; from < seen.size(); from = to) {
    while (to < seen.size() && seen[to].name.back_end == seen[from].name.back_end) ++to;
    if (to - from <= std::max<std::size_t>(best.size(), 1)) continue;
    best.clear();
    for (std::size_t i = from; i < to; ++i) best.push_back(seen[i].os);
  }
  return best;
}

}  // namespace

PciId pci_id(hwloc_obj_t pci) { return {pci->attr->pcidev.vendor_id, pci->attr->pcidev.device_id}; }

std::string pci_address(hwloc_obj_t pci) {
  const auto& at = pci->attr->pcidev;
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%x", unsigned{at.domain}, unsigned{at.bus},
                unsigned{at.dev}, unsigned{at.func});
  return text.data();
}

bool in_pci_order(hwloc_obj_t a, hwloc_obj_t b) {
  const auto& left = a->attr->pcidev;
  const auto& right = b->attr->pcidev;
  return std::tie(left.domain, left.bus, left.dev, left.func) <
         std::tie(right.domain, right.bus, right.dev, right.func);
}

std::vector<HwlocDevice> find_devices(hwloc_topology_t topology) {
  std::vector<hwloc_obj_t> physical;
  for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
    if (is_device(pci)) physical.push_back(pci);
  }
  std::stable_sort(physical.begin(), physical.end(), in_pci_order);

  std::vector<HwlocDevice> devices;
  for (std::size_t i = 0; i < physical.size(); ++i) {
    const std::vector<hwloc_obj_t> partitions = find_partitions(physical[i]);
    if (partitions.empty()) devices.push_back({physical[i], nullptr, -1});
    for (hwloc_obj_t os : partitions) devices.push_back({physical[i], os, static_cast<std::int16_t>(i)});
  }
  return devices;
}

int device_of(std::span<const HwlocDevice> devices, hwloc_obj_t object) {
  hwloc_obj_t os = nullptr;  // the one directly below the PCI device
  while (object && object->type == HWLOC_OBJ_OS_DEVICE) {
    os = object;
    object = object->parent;
  }
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const HwlocDevice& device) {
    return device.pci == object && (!device.os || device.os == os);
  });
  return found == devices.end() ? -1 : static_cast<int>(found - devices.begin());
}

std::string model_of(const HwlocDevice& device) {
  const PciId id = pci_id(device.pci);
  if (const std::string_view known = known_model(id); !known.empty()) return std::string(known);
  std::vector<const char*> names;
  for (hwloc_obj_t os = device.pci->io_first_child; os; os = os->next_sibling) {
    names.push_back(hwloc_obj_get_info_by_name(os, "GPUModel"));
  }
  names.push_back(hwloc_obj_get_info_by_name(device.pci, "PCIDevice"));
  for (const char* name : names) {
    if (name && name_fault(name).empty()) return name;
  }
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), "%04x:%04x", unsigned{id.vendor}, unsigned{id.device});
  return text.data();
}

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

// Names derived from a hardware address differ between equal machines.
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
    out.nics_known = true;  // a capture with PCI devices also shows the adapters, if there are any
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

namespace {

// One matrix; its objects are device numbers.
struct Matrix {
  static constexpr int kSwitch = -2;
  static constexpr int kOther = -1;
  std::vector<int> devices;
  std::vector<std::uint64_t> values;

  std::uint64_t at(std::size_t row, std::size_t column) const {
    return values[row * devices.size() + column];
  }
  bool is_device(std::size_t i) const { return devices[i] >= 0; }
};

bool is_switch(hwloc_obj_t object) {
  if (object->type != HWLOC_OBJ_PCI_DEVICE) return false;
  if (object->subtype && std::string_view(object->subtype) == "NVSwitch") return true;
  return object->attr->pcidev.class_id >> 8 == 0x06 && object->attr->pcidev.vendor_id == kNvidia;
}

std::optional<Matrix> find_matrix(hwloc_topology_t topology, std::span<const HwlocDevice> devices,
                                  const char* name) {
  unsigned count = 1;
  hwloc_distances_s* found = nullptr;
  if (hwloc_distances_get_by_name(topology, name, &count, &found, 0) < 0 || count == 0) return std::nullopt;
  const auto release = [topology](hwloc_distances_s* distances) {
    hwloc_distances_release(topology, distances);
  };
  const std::unique_ptr<hwloc_distances_s, decltype(release)> owner(found, release);
  Matrix matrix;
  for (unsigned i = 0; i < found->nbobjs; ++i) {
    const int device = device_of(devices, found->objs[i]);
    matrix.devices.push_back(device < 0 && is_switch(found->objs[i]) ? Matrix::kSwitch : device);
  }
  matrix.values.assign(found->values, found->values + std::size_t{found->nbobjs} * found->nbobjs);
  return matrix;
}

void link(LinkPairs& pairs, int a, int b, std::uint64_t lanes) {
  pairs.link(static_cast<std::size_t>(a), static_cast<std::size_t>(b), lanes);
}

// NVLink's rate per link and direction has been 20 GB/s (first generation), 25 and, from 2024 on, 50.
std::uint64_t nvlink_lanes(std::uint64_t bandwidth, PciId id) {
  const std::uint64_t rate = id.device >= 0x2900 ? 50'000 : bandwidth % 25'000 == 0 ? 25'000 : 20'000;
  return bandwidth % rate == 0 ? bandwidth / rate : 0;
}

void read_nvlink(const Matrix& matrix, std::span<const HwlocDevice> devices, LinkPairs& pairs) {
  std::vector<std::uint64_t> to_fabric(matrix.devices.size());
  for (std::size_t i = 0; i < matrix.devices.size(); ++i) {
    for (std::size_t j = 0; j < matrix.devices.size() && matrix.is_device(i); ++j) {
      if (matrix.devices[j] == Matrix::kSwitch) to_fabric[i] += std::min(matrix.at(i, j), matrix.at(j, i));
    }
  }
  for (std::size_t i = 0; i < matrix.devices.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!matrix.is_device(i) || !matrix.is_device(j)) continue;
      const std::uint64_t direct = std::min(matrix.at(i, j), matrix.at(j, i));
      const std::uint64_t bandwidth = std::max(direct, std::min(to_fabric[i], to_fabric[j]));
      const PciId id = pci_id(devices[static_cast<std::size_t>(matrix.devices[i])].pci);
      if (bandwidth > 0) link(pairs, matrix.devices[i], matrix.devices[j], nvlink_lanes(bandwidth, id));
    }
  }
}

// `linked` decides from the two values of a pair. These matrices do not contain the number of links.
template <class Linked>
void read_direct(const Matrix& matrix, LinkPairs& pairs, Linked linked) {
  for (std::size_t i = 0; i < matrix.devices.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (matrix.is_device(i) && matrix.is_device(j) && linked(matrix.at(i, j)) && linked(matrix.at(j, i))) {
        link(pairs, matrix.devices[i], matrix.devices[j], 0);
      }
    }
  }
}

DeviceMask devices_in(const Matrix& matrix) {
  DeviceMask mask = 0;
  for (const int device : matrix.devices) {
    if (device >= 0) mask |= DeviceMask{1} << device;
  }
  return mask;
}

bool is_full_mesh(const Matrix& matrix) {
  for (std::size_t i = 0; i < matrix.devices.size(); ++i) {
    for (std::size_t j = 0; j < matrix.devices.size(); ++j) {
      if (i != j && matrix.at(i, j) == 0) return false;
    }
  }
  return true;
}

DeviceMask read_xgmi(hwloc_topology_t topology, std::span<const HwlocDevice> devices, LinkPairs& pairs) {
  const std::optional<Matrix> hops = find_matrix(topology, devices, "XGMIHops");
  const std::optional<Matrix> bandwidth = find_matrix(topology, devices, "XGMIBandwidth");
  const Matrix* const matrix = hops ? &*hops : bandwidth ? &*bandwidth : nullptr;
  if (!matrix) return 0;
  const auto guesses = [](const HwlocDevice& device) { return claims_full_mesh(pci_id(device.pci)); };
  if (is_full_mesh(*matrix) && std::any_of(devices.begin(), devices.end(), guesses)) return 0;
  if (hops) {
    read_direct(*hops, pairs, [](std::uint64_t value) { return value == 1; });
  } else {
    read_direct(*bandwidth, pairs, [](std::uint64_t value) { return value > 0; });
  }
  return devices_in(*matrix);
}

bool use_catalogue(std::span<const HwlocDevice> devices, LinkPairs& pairs) {
  std::vector<PciId> ids;
  for (const HwlocDevice& device : devices) {
    if (device.os) return false;  // the catalogue lists whole devices
    ids.push_back(pci_id(device.pci));
  }
  const std::span<const KnownLink> known = known_links(ids);
  for (const KnownLink& link : known) pairs.link(link.a, link.b, link.lanes);
  return !known.empty();
}

}  // namespace

void read_links(hwloc_topology_t topology, std::span<const HwlocDevice> devices, NodeClass& out) {
  LinkPairs pairs(devices.size());
  DeviceMask covered = 0;
  if (use_catalogue(devices, pairs)) {
    covered = ~DeviceMask{0};
  } else {
    if (const std::optional<Matrix> matrix = find_matrix(topology, devices, "NVLinkBandwidth")) {
      read_nvlink(*matrix, devices, pairs);
      covered |= devices_in(*matrix);
    }
    if (const std::optional<Matrix> matrix = find_matrix(topology, devices, "XeLinkBandwidth")) {
      read_direct(*matrix, pairs, [](std::uint64_t value) { return value > 0; });
      covered |= devices_in(*matrix);
    }
    covered |= read_xgmi(topology, devices, pairs);
  }
  const DeviceMask all = devices.empty() ? 0 : ~DeviceMask{0} >> (kMaxDevices - devices.size());
  out.links_known = all != 0 && (covered & all) == all;
  out.links = pairs.groups();
}

}  // namespace cede
