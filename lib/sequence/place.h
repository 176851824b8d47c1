// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "model/node_class.h"

namespace cede {

// Numbers of ledger entries; 0 is none, and none is ever used twice.
using EntryId = std::uint64_t;
inline constexpr EntryId kNoEntry = 0;

// What one task holds, or is to hold, on one node. By name, for the ledger outlives every model.
struct Place {
  std::string task;
  std::string node;
  DeviceMask gpus = 0;  // whole devices
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;    // in thousandths of share_device
  bool devices_known = true;  // false: how many is certain, which ones is not
  bool whole_node = false;    // the node as such: claims, `required_node`
  // What the requester counts on about the node (see node_signature); 0: nothing beyond its space.
  std::uint64_t node_signature = 0;
  // How many devices were held there by tasks that do not say which. More of them may hold any of these.
  std::uint32_t unknown_there = 0;
  std::vector<std::pair<std::string, Amount>> resources;

  bool operator==(const Place&) const = default;
};

// What is wrong with the space of a place in itself, empty when nothing is: devices there cannot be, amounts
// that are none.
std::string space_fault(const Place& place);

}  // namespace cede
