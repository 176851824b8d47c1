// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_links.h"

#include <hwloc/distances.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "topology/import/link_pairs.h"

namespace cede {
namespace {

// One matrix, its objects as device numbers.
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

// `linked` tells from the two values of a pair. How many links there are these matrices do not say.
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
