// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_devices.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <tuple>

#include "base/text.h"

namespace cede {
namespace {

// Back ends that name devices for computing, the ones that see partitions best first.
constexpr std::array<std::string_view, 5> kBackEnds{"rsmi", "nvml", "cuda", "ze", "opencl"};

// `rsmi12` is number 12 of back end `rsmi`; `opencl1d0` is number 0 of `opencl1d`, because each OpenCL
// platform names the same devices once more.
struct BackEndName {
  std::string_view back_end;
  std::uint32_t number = 0;
  std::size_t rank = 0;  // in kBackEnds
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

// The OS devices that are parts of this PCI device: those of the back end that sees most. One alone is the
// device.
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

}  // namespace cede
