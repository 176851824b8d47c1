// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/node_class.h"

namespace cede {

// What is counted of a node class.
struct NodeClassFacts {
  std::uint32_t devices = 0;
  std::uint32_t physical_devices = 0;  // partitions of one counted once
  std::uint32_t numa_nodes = 0;
  std::uint32_t sockets = 0;
  std::uint32_t cores = 0;  // 0: not known
  std::uint32_t islands = 0;
  std::uint32_t nics = 0;
};

NodeClassFacts count_facts(const NodeClass& node_class);

// The sets of devices that links connect, be it over others, in the order of their lowest devices.
std::vector<DeviceMask> link_islands(const NodeClass& node_class);

// `0-3,5`
std::string index_list(DeviceMask mask);

}  // namespace cede
