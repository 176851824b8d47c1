// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"
#include "report/text_block.h"

namespace cede {

// The counts of a node class.
struct NodeClassFacts {
  std::uint32_t devices = 0;
  std::uint32_t physical_devices = 0;  // partitions of one device count once
  std::uint32_t numa_nodes = 0;
  std::uint32_t sockets = 0;
  std::uint32_t cores = 0;  // 0: not known
  std::uint32_t islands = 0;
  std::uint32_t nics = 0;
};

NodeClassFacts count_facts(const NodeClass& node_class);

// The sets of devices that links connect, directly or through other devices, in the order of their lowest
// devices.
std::vector<DeviceMask> link_islands(const NodeClass& node_class);

// `0-3,5`
std::string index_list(DeviceMask mask);

// The machine as text, at most `columns` wide. There is a box per NUMA node (per socket if NUMA nodes
// are not known) with its cores; in it a box per PCIe switch with its GPUs and NICs. Below are the NICs that
// are near no switch, and the links. Ends with a line break.
std::string draw_node_class(const NodeClass& node_class, std::string_view title,
                            std::size_t columns = kPictureColumns);

// Which devices are linked: one sentence if every pair of each island is linked, else a table of all pairs,
// which shows incomplete islands as they are.
TextBlock draw_links(const NodeClass& node_class, std::size_t columns = kPictureColumns);

// The network as a tree of its domains, at most `columns` wide, with the number of nodes in each and
// the names of the nodes directly below it. If a domain has many domains below it, only the first few are
// shown. Ends with a line break.
std::string draw_network(const NetworkDescription& network, std::string_view title,
                         std::size_t columns = kPictureColumns);

}  // namespace cede
