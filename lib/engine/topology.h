// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "model/limits.h"
#include "model/node_class.h"
#include "report/topology_pictures.h"

namespace cede {

// In the numbering of the C ABI.
enum class TopologyKind : std::int32_t { any = 0, hwloc_xml = 1, nccl_xml = 2, slurm = 3 };

// What one text about a machine, or about a network, looks like to the library. Belongs to no engine.
struct Topology {
  TopologyKind kind = TopologyKind::any;
  std::string name;
  NodeClass node_class;        // of XML
  NetworkDescription network;  // of a topology.conf
  // Equal for texts that describe the same class or network, whatever the text looks like.
  std::string signature;
};

// Why there is none, with the text's own line; 0 where it has none.
struct TopologyFault {
  Status status = Status::document;
  std::string text;
  std::uint32_t line = 0;
};

// The kind a text seems to be: XML by its outermost element, anything else a topology.conf.
TopologyKind guess_topology_kind(std::string_view text);

std::optional<Topology> read_topology(std::string_view text, TopologyKind kind, std::string_view name,
                                      const Limits& limits, TopologyFault& fault);

class ArrayEdit;
// Puts the topology of a text, XML or the JSON object of the compact form, under the name of this number.
void import_topology(std::string_view text, std::uint32_t name, ArrayEdit& arrays);

std::string topology_document(const Topology& topology);
std::string topology_picture(const Topology& topology);

}  // namespace cede
