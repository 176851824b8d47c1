// SPDX-License-Identifier: MIT
#include "document/topology_writer.h"

#include <algorithm>
#include <vector>

#include "document/json_text.h"
#include "document/write_parts.h"

namespace cede {
namespace {

constexpr std::string_view kTopologyFormat = "cede-topology/1";

void begin(const TopologyHead& head, JsonWriter& json) {
  json.begin_object().key("format").text(kTopologyFormat).key("name").text(head.name);
  json.key("kind").text(head.kind).key("signature").text(head.signature);
}

}  // namespace

std::string write_topology_document(const TopologyHead& head, const NodeClass& node_class) {
  std::string out;
  JsonWriter json(out);
  begin(head, json);
  std::vector<std::string_view> pci;
  for (const NodeClass::Device& device : node_class.devices) pci.push_back(device.pci);
  if (std::all_of(pci.begin(), pci.end(), [](std::string_view address) { return address.empty(); }))
    pci.clear();
  const Model none;
  ClusterParts parts(none, json);
  json.line().key("topology");
  write_node_class(node_class, pci, {}, parts, json);
  json.end_object();
  return out + '\n';
}

std::string write_topology_document(const TopologyHead& head, const NetworkDescription& network) {
  std::string out;
  JsonWriter json(out);
  begin(head, json);
  json.line().key("network").begin_object().key("levels").begin_array();
  for (const std::string& level : network.levels) json.text(level);
  json.end_array().line().key("domains").begin_array();
  for (const NetworkDescription::Domain& domain : network.domains) {
    json.line().begin_object().key("id").text(domain.name).key("level").text(network.levels[domain.level]);
    if (domain.parent >= 0)
      json.key("parent").text(network.domains[static_cast<std::size_t>(domain.parent)].name);
    json.end_object();
  }
  json.end_array().end_object();
  json.line().key("nodes").begin_array();
  for (const NetworkDescription::Node& node : network.nodes) {
    json.line().begin_object().key("id").text(node.name).key("network").begin_array();
    json.text(network.domains[node.domain].name).end_array().end_object();
  }
  json.end_array().end_object();
  return out + '\n';
}

}  // namespace cede
