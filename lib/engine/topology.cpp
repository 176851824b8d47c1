// SPDX-License-Identifier: MIT
#include "engine/topology.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "document/answer_writers.h"
#include "document/policy_reader.h"
#include "engine/array_edit.h"
#include "model/model.h"
#include "report/topology_pictures.h"
#include "topology/import/hwloc_import.h"
#include "topology/import/nccl_import.h"
#include "topology/import/slurm_topology.h"
#include "topology/import/xml_reader.h"

namespace cede {
namespace {

constexpr std::array<std::string_view, 4> kTextWords{"any", "hwloc-xml", "nccl-xml", "slurm-topology"};

// XML importers end their message with `(line 7)` if they know the line.
std::uint32_t line_of(std::string_view why) {
  constexpr std::string_view kMark = " (line ";
  const std::size_t mark = why.rfind(kMark);
  if (mark == std::string_view::npos || !why.ends_with(')')) return 0;
  std::uint32_t line = 0;
  const char* const end = why.data() + why.size() - 1;
  const auto [at, error] = std::from_chars(why.data() + mark + kMark.size(), end, line);
  return error == std::errc{} && at == end ? line : 0;
}

// Each name ends with a NUL, so that different networks have different texts.
std::string encode_network(const NetworkDescription& network) {
  std::string out;
  const auto add = [&out](std::string_view text) { out.append(text).push_back('\0'); };
  for (const std::string& level : network.levels) add(level);
  add({});
  std::vector<std::size_t> order(network.domains.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return network.domains[a].name < network.domains[b].name; });
  for (const std::size_t id : order) {
    const NetworkDescription::Domain& domain = network.domains[id];
    add(domain.name);
    add(network.levels[domain.level]);
    add(domain.parent < 0 ? std::string_view{}
                          : network.domains[static_cast<std::size_t>(domain.parent)].name);
  }
  add({});
  order.resize(network.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return network.nodes[a].name < network.nodes[b].name; });
  for (const std::size_t id : order) {
    add(network.nodes[id].name);
    add(network.domains[network.nodes[id].domain].name);
  }
  return out;
}

bool read_network(std::string_view text, const Limits& limits, NetworkDescription& out,
                  TopologyFault& fault) {
  SlurmLimits most;
  most.nodes = static_cast<std::size_t>(limits.max_nodes);
  most.domains = static_cast<std::size_t>(limits.max_domains);
  most.levels = static_cast<std::size_t>(limits.max_levels);
  SlurmFault why;
  if (read_slurm_topology(text, most, out, why)) return true;
  fault = {why.is_limit ? Status::limit : Status::document, why.message(), why.line};
  return false;
}

}  // namespace

TopologyKind guess_topology_kind(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '<') return TopologyKind::slurm;
  XmlReader reader(text);
  const bool opened = reader.next() == XmlReader::Token::open;
  const bool is_nccl = opened && (reader.name() == "system" || reader.name() == "graphs");
  return is_nccl ? TopologyKind::nccl_xml : TopologyKind::hwloc_xml;
}

std::optional<Topology> read_topology(std::string_view text, TopologyKind kind, std::string_view name,
                                      const Limits& limits, TopologyFault& fault) {
  Topology topology;
  topology.kind = kind == TopologyKind::any ? guess_topology_kind(text) : kind;
  topology.name = name;
  if (topology.kind == TopologyKind::slurm) {
    if (!read_network(text, limits, topology.network, fault)) return std::nullopt;
    topology.signature = signature_of(encode_network(topology.network));
    return topology;
  }
  const auto import = topology.kind == TopologyKind::nccl_xml ? import_nccl_xml : import_hwloc_xml;
  std::string why;
  if (!import(text, topology.node_class, why)) {
    fault = {Status::document, why, line_of(why)};
    return std::nullopt;
  }
  topology.signature = signature_of(encode_class(topology.node_class));
  return topology;
}

void import_topology(std::string_view text, std::uint32_t name, ArrayEdit& arrays) {
  ModelEdit& edit = arrays.edit();
  TopologyDraft draft;
  draft.row.name = arrays.name(name, "id");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{')
    return read_topology_part(text, draft.row.name, edit);
  const auto fail = [&](std::string why, Status status) {
    arrays.problems().error(
        {PathStep::member("topologies"), PathStep::member(edit.model().name(draft.row.name))}, std::move(why),
        status);
  };
  TopologyFault fault;
  if (guess_topology_kind(text) == TopologyKind::slurm)
    return fail("is neither XML nor a JSON object", Status::document);
  std::optional<Topology> read = read_topology(text, TopologyKind::any, {}, edit.limits(), fault);
  if (!read) return fail(std::move(fault.text), fault.status);
  draft.node_class = std::move(read->node_class);
  edit.put(draft);
}

std::string topology_document(const Topology& topology) {
  const TopologyHead head{topology.name, kTextWords[static_cast<std::size_t>(topology.kind)],
                          topology.signature};
  return topology.kind == TopologyKind::slurm ? write_topology_document(head, topology.network)
                                              : write_topology_document(head, topology.node_class);
}

std::string topology_picture(const Topology& topology, PictureForm form) {
  const std::size_t columns = columns_of(form);
  return in_form(topology.kind == TopologyKind::slurm
                     ? draw_network(topology.network, topology.name, columns)
                     : draw_node_class(topology.node_class, topology.name, columns),
                 form);
}

}  // namespace cede
