// SPDX-License-Identifier: MIT
// A network that comes as a topology.conf of its own and meets the cluster's nodes at the end of an edit.
#include "base/text.h"
#include "model/edit.h"

namespace cede {

void ModelEdit::set_network(NetworkDescription network) {
  std::vector<NameId> levels;
  for (const std::string& level : network.levels) levels.push_back(model_.names.intern(level));
  set_levels(levels);
  DomainDraft draft;
  for (const NetworkDescription::Domain& domain : network.domains) {
    draft.row.name = model_.names.intern(domain.name);
    draft.level = levels[domain.level];
    draft.parent = domain.parent < 0
                       ? kNoName
                       : model_.names.intern(network.domains[static_cast<std::size_t>(domain.parent)].name);
    put(draft);
  }
  network_ = std::move(network);
}

void ModelEdit::attach_listed_nodes() {
  if (network_.nodes.empty()) return;
  constexpr std::size_t kNotPut = ~std::size_t{0};
  std::vector<std::size_t> put(model_.nodes.id_bound(), kNotPut);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].id) put[nodes_[i].id.value] = i;
  }
  std::size_t unknown = 0;
  const NetworkDescription::Node* first_unknown = nullptr;
  for (const NetworkDescription::Node& listed : network_.nodes) {
    const NodeId id = model_.find_node(listed.name);
    if (!id || put[id.value] == kNotPut) {
      if (unknown++ == 0) first_unknown = &listed;
      continue;
    }
    Pending<NodeId>& pending = nodes_[put[id.value]];
    const std::string& domain = network_.domains[listed.domain].name;
    if (pending.list_size > 0) {
      fail(at(Kind::node, put[id.value], "network"),
           "topology.conf has node " + quote(listed.name) + " too, in " + quote(domain) + " (line " +
               std::to_string(listed.line) + "); one of the two is enough");
      continue;
    }
    pending.list = static_cast<std::uint32_t>(names_.size());
    pending.list_size = 1;
    names_.push_back(model_.names.find(domain));
  }
  if (unknown == 0) return;
  problems_->warning({PathStep::member("network"), PathStep::member("slurm_topology")},
                     (unknown == 1 ? "node " + quote(first_unknown->name) + " of topology.conf (line "
                                   : std::to_string(unknown) + " nodes of topology.conf, the first " +
                                         quote(first_unknown->name) + " (line ") +
                         std::to_string(first_unknown->line) +
                         (unknown == 1 ? "), is not in the cluster" : "), are not in the cluster"));
}

}  // namespace cede
