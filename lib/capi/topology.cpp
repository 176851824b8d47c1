// SPDX-License-Identifier: MIT
#include "engine/topology.h"

#include <memory>

#include "base/text.h"
#include "capi/guard.h"
#include "capi/handles.h"

using cede::TopologyKind;
using cede::capi::guard;
using cede::capi::hand_out;
using cede::capi::missing;
using cede::capi::place_fault;
using cede::capi::tell;
using cede::capi::text_size_fault;

namespace {

static_assert(static_cast<int32_t>(TopologyKind::any) == CEDE_TOPOLOGY_ANY);
static_assert(static_cast<int32_t>(TopologyKind::hwloc_xml) == CEDE_TOPOLOGY_HWLOC_XML);
static_assert(static_cast<int32_t>(TopologyKind::nccl_xml) == CEDE_TOPOLOGY_NCCL_XML);
static_assert(static_cast<int32_t>(TopologyKind::slurm) == CEDE_TOPOLOGY_SLURM);

int32_t text_of(const cede_topology* topology, std::string (*write)(const cede::Topology&), cede_text** text,
                cede_error* error) {
  return guard(error, [&] {
    if (!topology) return missing(error, "topology: NULL is not a topology");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    *text = new cede_text{write(topology->topology)};
    return tell(error, CEDE_OK, {});
  });
}

}  // namespace

int32_t cede_topology_create(const char* text, size_t size, int32_t kind, const char* name,
                             cede_topology** topology, cede_error* error) {
  return guard(error, [&] {
    if (!text) return missing(error, "text: NULL is not a topology");
    if (const int32_t status = text_size_fault(size, cede::Limits{}.max_document_bytes, error)) return status;
    if (!topology) return missing(error, "topology: NULL is not a place for the new topology");
    if (kind < CEDE_TOPOLOGY_ANY || kind > CEDE_TOPOLOGY_SLURM) {
      return missing(error, "kind: " + std::to_string(kind) + " is not one of CEDE_TOPOLOGY_...");
    }
    const std::string_view called = name ? name : "topology";
    const std::string fault = cede::is_utf8(called) ? cede::name_fault(called) : "it is not UTF-8";
    if (!fault.empty()) return missing(error, "name: " + fault);
    cede::TopologyFault why;
    std::optional<cede::Topology> made =
        cede::read_topology({text, size}, static_cast<TopologyKind>(kind), called, cede::Limits{}, why);
    if (!made) return tell(error, static_cast<int32_t>(why.status), why.text, why.line);
    auto handle = std::make_unique<cede_topology>();
    handle->topology = std::move(*made);
    const cede::NetworkDescription& network = handle->topology.network;
    handle->domains.resize(network.levels.size());
    for (std::size_t i = 0; i < network.domains.size(); ++i)
      handle->domains[network.domains[i].level].push_back(i);
    *topology = handle.release();
    return tell(error, CEDE_OK, {});
  });
}

void cede_topology_destroy(cede_topology* topology) { delete topology; }

int32_t cede_topology_get(const cede_topology* topology, cede_topology_facts* facts, size_t facts_size,
                          cede_error* error) {
  return guard(error, [&] {
    if (!topology) return missing(error, "topology: NULL is not a topology");
    if (const int32_t status = place_fault(facts, facts_size, "facts", error)) return status;
    const cede::Topology& from = topology->topology;
    const cede::NodeClassFacts counted = cede::count_facts(from.node_class);
    cede_topology_facts known{};
    known.kind = static_cast<int32_t>(from.kind);
    known.devices = counted.devices;
    known.physical_devices = counted.physical_devices;
    known.numa_nodes = counted.numa_nodes;
    known.sockets = counted.sockets;
    known.cores = counted.cores;
    known.islands = counted.islands;
    known.links_known = from.node_class.links_known ? 1 : 0;
    known.nics = counted.nics;
    known.levels = static_cast<uint32_t>(from.network.levels.size());
    known.domains = static_cast<uint32_t>(from.network.domains.size());
    known.nodes = static_cast<uint32_t>(from.network.nodes.size());
    return hand_out(known, facts, facts_size, error);
  });
}

const char* cede_topology_signature(const cede_topology* topology) {
  return topology ? topology->topology.signature.c_str() : nullptr;
}

const char* cede_topology_level(const cede_topology* topology, size_t level) {
  if (!topology || level >= topology->domains.size()) return nullptr;
  return topology->topology.network.levels[level].c_str();
}

size_t cede_topology_domain_count(const cede_topology* topology, size_t level) {
  return topology && level < topology->domains.size() ? topology->domains[level].size() : 0;
}

const char* cede_topology_domain(const cede_topology* topology, size_t level, size_t domain) {
  if (domain >= cede_topology_domain_count(topology, level)) return nullptr;
  return topology->topology.network.domains[topology->domains[level][domain]].name.c_str();
}

int32_t cede_topology_json(const cede_topology* topology, cede_text** text, cede_error* error) {
  return text_of(topology, cede::topology_document, text, error);
}

int32_t cede_topology_picture(const cede_topology* topology, int32_t format, uint32_t width, cede_text** text,
                              cede_error* error) {
  return guard(error, [&] {
    if (!topology) return missing(error, "topology: NULL is not a topology");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    cede::PictureForm form;
    if (const int32_t status = cede::capi::picture_fault(format, width, form, error)) return status;
    *text = new cede_text{cede::topology_picture(topology->topology, form)};
    return tell(error, CEDE_OK, {});
  });
}
