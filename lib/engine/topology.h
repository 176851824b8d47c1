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

// The numbers are those of the C ABI.
enum class TopologyKind : std::int32_t { any = 0, hwloc_xml = 1, nccl_xml = 2, slurm = 3 };

// The topology that one text describes: a node class or a network. It belongs to no engine.
struct Topology {
  TopologyKind kind = TopologyKind::any;
  std::string name;
  NodeClass node_class;        // from XML
  NetworkDescription network;  // from a topology.conf
  // Equal for texts that describe the same class or network, whatever their wording.
  std::string signature;
};

// Why a text could not be read, with its line; 0 if the line is unknown.
struct TopologyFault {
  Status status = Status::document;
  std::string text;
  std::uint32_t line = 0;
};

// Guesses the kind of a text: XML by its outermost element, anything else as a topology.conf.
TopologyKind guess_topology_kind(std::string_view text);

std::optional<Topology> read_topology(std::string_view text, TopologyKind kind, std::string_view name,
                                      const Limits& limits, TopologyFault& fault);

class ArrayEdit;
// Puts the topology of a text under the name with this number. The text is XML or a JSON object in the
// compact form.
void import_topology(std::string_view text, std::uint32_t name, ArrayEdit& arrays);

std::string topology_document(const Topology& topology);
std::string topology_picture(const Topology& topology, PictureForm form = {});

}  // namespace cede
