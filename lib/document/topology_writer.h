// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "model/network_description.h"
#include "model/node_class.h"

namespace cede {

// What a cede-topology/1 document says of any topology.
struct TopologyHead {
  std::string_view name;
  std::string_view kind;  // `hwloc-xml`
  std::string_view signature;
};

// A node class as a cede-topology/1 document: `topology` is the compact form of a cluster document.
std::string write_topology_document(const TopologyHead& head, const NodeClass& node_class);
// A network likewise: `network` and `nodes` are what a cluster document has under these names.
std::string write_topology_document(const TopologyHead& head, const NetworkDescription& network);

}  // namespace cede
