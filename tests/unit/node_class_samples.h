// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "model/node_class.h"
#include "model/requirement.h"
#include "topology/import/device_catalogue.h"

namespace cede {

inline NodeClass box_of(std::size_t devices, const char* model = "H100") {
  NodeClass box;
  box.devices.resize(devices);
  for (NodeClass::Device& device : box.devices) device.model = model;
  box.links_known = box.nics_known = true;
  return box;
}

// Eight devices joined through switches; four per NUMA node and socket, two with a NIC on each PCIe switch.
inline NodeClass nvswitch_box() {
  NodeClass box = box_of(8);
  box.numa = box.sockets = {0x0f, 0xf0};
  box.cores = {32, 32};
  box.pcie = {0x03, 0x0c, 0x30, 0xc0};
  box.links = {{LinkClass::nvl, 0xff, 18}};
  for (const DeviceMask pair : box.pcie) box.nics.push_back({"", pair, LinkClass::pcie});
  return box;
}

// Eight dies, each linked to three or four others, two per NUMA node.
inline NodeClass mi250x_box() {
  NodeClass box = box_of(8, "MI250X");
  box.numa = {0x03, 0x0c, 0x30, 0xc0};
  box.cores = {16, 16, 16, 16};
  const std::vector<PciId> ids(8, PciId{kAmd, 0x7408});
  for (const KnownLink& link : known_links(ids)) {
    box.links.push_back({LinkClass::nvl, DeviceMask{1} << link.a | DeviceMask{1} << link.b, link.lanes});
  }
  return box;
}

// 0 - 1 - 2 - ... : each linked to the next.
inline NodeClass chain_of(std::size_t devices) {
  NodeClass box = box_of(devices);
  for (std::size_t d = 0; d + 1 < devices; ++d) box.links.push_back({LinkClass::nvl, DeviceMask{3} << d, 1});
  return box;
}

inline GpuRequirement gpus_at(GpuLevel level, GpuMode mode = GpuMode::clique, GpuScope scope = GpuScope::task,
                              Strength strength = Strength::hard) {
  return {scope, level, mode, strength};
}

inline Requirement requires_gpus(std::vector<GpuRequirement> needs) {
  Requirement require;
  require.gpus = std::move(needs);
  return require;
}

inline NicRequirement nic_at(GpuLevel level, bool per_gpu = true, Strength strength = Strength::hard) {
  return {true, level, per_gpu, strength};
}

}  // namespace cede
