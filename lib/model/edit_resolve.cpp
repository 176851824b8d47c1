// SPDX-License-Identifier: MIT
// Resolving what cluster objects refer to, and the checks of one object against its neighbours.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/edit.h"
#include "model/edit_place.h"

namespace cede {

namespace {

template <class IdType>
std::string bytes_of(const std::vector<IdType>& ids) {
  return {static_cast<const char*>(static_cast<const void*>(ids.data())), ids.size() * sizeof(IdType)};
}

}  // namespace

GroupId ModelEdit::resolve_group(NameId name, const Path& path) {
  const GroupId group = find_group(model_, name);
  if (!group) fail_unknown(path, Kind::group, model_.name(name));
  return group;
}

void ModelEdit::resolve_domains() {
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    const Pending<DomainId>& pending = domains_[i];
    if (!pending.id) continue;
    const auto level = std::find(model_.levels.begin(), model_.levels.end(), pending.first);
    if (level == model_.levels.end()) {
      std::vector<std::string_view> known;
      for (const NameId name : model_.levels) known.push_back(model_.name(name));
      fail(at(Kind::domain, i, "level"),
           quote(model_.name(pending.first)) + " is not a level; " +
               (known.empty() ? "none is known" : one_of(known) + " is allowed"));
      continue;
    }
    model_.domains.edit(pending.id).level = static_cast<std::uint32_t>(level - model_.levels.begin());
  }
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    const Pending<DomainId>& pending = domains_[i];
    if (!pending.id || pending.second == kNoName) continue;
    const DomainId parent =
        resolve(model_.domains, pending.second, Kind::domain, at(Kind::domain, i, "parent"));
    if (!parent) continue;
    if (model_.domains[parent].level <= model_.domains[pending.id].level) {
      fail(at(Kind::domain, i, "parent"), quote(model_.name(pending.second)) +
                                              " is not of a farther level; levels are listed nearest first");
      continue;
    }
    model_.domains.edit(pending.id).parent = parent;
    ++model_.domains.edit(parent).children;
  }
}

void ModelEdit::resolve_queues() {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const Pending<QueueId>& pending = queues_[i];
    if (!pending.id || pending.first == kNoName) continue;
    const QueueId parent = resolve(model_.queues, pending.first, Kind::queue, at(Kind::queue, i, "parent"));
    if (!parent) continue;
    model_.queues.edit(pending.id).parent = parent;
    ++model_.queues.edit(parent).children;
  }
}

void ModelEdit::detach(QueueId id) {
  QueueRow& row = model_.queues.edit(id);
  if (row.parent) --model_.queues.edit(row.parent).children;
  model_.queues.edit(id).parent = {};
}

void ModelEdit::resolve_nodes() {
  std::vector<DomainId> network;
  for (std::size_t i = 0; i < nodes_.size() && !problems_->full(); ++i) {
    const Pending<NodeId>& pending = nodes_[i];
    if (!pending.id) continue;
    // Paths are made only for what is wrong: a hundred thousand nodes come through here.
    GroupId group = model_.groups.find(pending.first);
    if (!group) group = resolve_group(pending.first, at(Kind::node, i, "group"));
    TopologyId topology;
    QueueId home;
    if (pending.second != kNoName) {
      topology = model_.topologies.find(pending.second);
      if (!topology)
        resolve(model_.topologies, pending.second, Kind::topology, at(Kind::node, i, "topology"));
    }
    if (pending.third != kNoName) {
      home = model_.queues.find(pending.third);
      if (!home) resolve(model_.queues, pending.third, Kind::queue, at(Kind::node, i, "home"));
    }
    network.clear();
    for (std::uint32_t k = 0; k < pending.list_size; ++k) {
      const NameId name = names_[pending.list + k];
      if (const DomainId domain = model_.domains.find(name)) {
        network.push_back(domain);
        continue;
      }
      Path path = at(Kind::node, i, "network");
      path.push_back(PathStep::element(k));
      resolve(model_.domains, name, Kind::domain, path);
    }
    std::sort(network.begin(), network.end(),
              [&](DomainId a, DomainId b) { return model_.domains[a].level < model_.domains[b].level; });
    NodeRow& row = model_.nodes.edit(pending.id);
    row.group = group;
    row.topology = topology;
    row.home = home;
    move_blob(row.network, model_.blobs.intern(bytes_of(network)));
    if (group) ++model_.groups.edit(group).nodes;
    if (topology) ++model_.topologies.edit(topology).nodes;
    if (home) ++model_.queues.edit(home).home_nodes;
    for (const DomainId domain : network) ++model_.domains.edit(domain).nodes;
    if (!check_node_domains(pending.id)) fail_node_domains(pending.id, at(Kind::node, i, "network"));
  }
}

void ModelEdit::detach(NodeId id) {
  NodeRow& row = model_.nodes.edit(id);
  if (row.group) --model_.groups.edit(row.group).nodes;
  if (row.topology) --model_.topologies.edit(row.topology).nodes;
  if (row.home) --model_.queues.edit(row.home).home_nodes;
  for (const DomainId domain : model_.node_domains(row)) --model_.domains.edit(domain).nodes;
  move_blob(row.network, kNoBlob);
  row.group = {};
  row.topology = {};
  row.home = {};
}

// A node is in at most one domain of each level, directly or through the parents of those it names. Calls
// clash(level, one, other) where it is in two.
template <class Clash>
static void each_domain_clash(const Model& model, NodeId id, Clash clash) {
  std::array<DomainId, 64> at_level{};
  for (DomainId domain : model.node_domains(model.nodes[id])) {
    for (; domain; domain = model.domains[domain].parent) {
      const std::uint32_t level = model.domains[domain].level;
      if (at_level[level] && at_level[level] != domain) return clash(level, at_level[level], domain);
      at_level[level] = domain;
    }
  }
}

bool ModelEdit::check_node_domains(NodeId id) const {
  bool good = true;
  each_domain_clash(model_, id, [&](std::uint32_t, DomainId, DomainId) { good = false; });
  return good;
}

void ModelEdit::fail_node_domains(NodeId id, Path path) {
  each_domain_clash(model_, id, [&](std::uint32_t level, DomainId one, DomainId other) {
    fail(std::move(path), "node " + quote(model_.name(model_.nodes[id].name)) +
                              " is in two domains of level " + quote(model_.name(model_.levels[level])) +
                              ": " + quote(model_.name(model_.domains[one].name)) + " and " +
                              quote(model_.name(model_.domains[other].name)));
  });
}

void ModelEdit::resolve_reservations() {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < reservations_.size() && !problems_->full(); ++i) {
    const Pending<ReservationId>& pending = reservations_[i];
    if (!pending.id) continue;
    nodes.clear();
    for (std::uint32_t k = 0; k < pending.list_size; ++k) {
      Path path = at(Kind::reservation, i, "nodes");
      path.push_back(PathStep::element(k));
      const NodeId node = resolve(model_.nodes, names_[pending.list + k], Kind::node, path);
      if (node) nodes.push_back(node);
    }
    std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
      return model_.name(model_.nodes[a].name) < model_.name(model_.nodes[b].name);
    });
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const NodeId node : nodes) ++model_.nodes.edit(node).reservations;
    QueueId queue;
    if (pending.first != kNoName) {
      Path path = at(Kind::reservation, i, "for");
      path.push_back(PathStep::member("queue"));
      queue = resolve(model_.queues, pending.first, Kind::queue, path);
      if (queue) ++model_.queues.edit(queue).reservations;
    }
    ReservationRow& row = model_.reservations.edit(pending.id);
    row.queue = queue;
    move_blob(row.nodes, model_.blobs.intern(bytes_of(nodes)));
    if (row.until != kNoTime && row.until <= row.from) {
      fail(at(Kind::reservation, i, "until"), "is not after 'from'");
    }
  }
}

void ModelEdit::detach(ReservationId id) {
  ReservationRow& row = model_.reservations.edit(id);
  for (const NodeId node : model_.reservation_nodes(row)) --model_.nodes.edit(node).reservations;
  if (row.queue) --model_.queues.edit(row.queue).reservations;
  move_blob(row.nodes, kNoBlob);
  row.queue = {};
}

}  // namespace cede
