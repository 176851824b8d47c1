// SPDX-License-Identifier: MIT
#include "model/edit.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "model/edit_place.h"

namespace cede {

ModelEdit::ModelEdit(Model base, const Limits& limits, Problems& problems, bool whole)
    : copy_(std::move(base)),
      model_(*copy_),
      limits_(limits),
      problems_(&problems),
      whole_(whole),
      plain_lists_(whole),
      all_nodes_touched_(whole),
      task_rows_(model_.tasks.live()) {
  ++model_.edits;
}

ModelEdit::ModelEdit(Model& in_place, const Limits& limits, Problems& problems)
    : model_(in_place),
      limits_(limits),
      problems_(&problems),
      whole_(false),
      plain_lists_(false),
      task_rows_(model_.tasks.live()) {
  ++model_.edits;
}

Path ModelEdit::list_path(Kind kind) const {
  Path path;
  if (!plain_lists_) path.push_back(PathStep::member("put"));
  if (kind == Kind::domain) path.push_back(PathStep::member("network"));
  path.push_back(PathStep::member(to_word(kind, kKindMembers)));
  return path;
}

Path ModelEdit::at(Kind kind, std::size_t index, std::string_view member) const {
  Path path = list_path(kind);
  if (kind == Kind::topology) {
    path.push_back(PathStep::member(model_.name(topologies_[index].third)));
  } else {
    path.push_back(PathStep::element(index));
  }
  if (!member.empty()) path.push_back(PathStep::member(member));
  return path;
}

Path ModelEdit::at_removal(const Removal& removal) const {
  Path path;
  if (!plain_lists_) path.push_back(PathStep::member("remove"));
  path.push_back(PathStep::member(to_word(removal.kind, kKindMembers)));
  path.push_back(PathStep::element(removal.index));
  return path;
}

void ModelEdit::fail_limit(Path path, std::string_view limit_name, std::uint64_t limit) {
  problems_->error(std::move(path), limit_text(limit_name, limit), Status::limit);
}

std::uint32_t ModelEdit::resource(NameId name) {
  for (std::size_t i = 0; i < model_.resources.size(); ++i) {
    if (model_.resources[i] == name) return static_cast<std::uint32_t>(i);
  }
  if (model_.resources.size() >= limits_.max_resources) return ResourceId::kNoValue;
  model_.names.retain(name);
  model_.resources.push_back(name);
  return static_cast<std::uint32_t>(model_.resources.size() - 1);
}

void ModelEdit::set_levels(std::vector<NameId> levels) {
  for (const NameId level : levels) model_.names.retain(level);
  for (const NameId level : model_.levels) give_up(model_.names, level);
  levels_touched_ = true;
  model_.levels = std::move(levels);
}

void ModelEdit::set_site(BlobId site) { move_blob(model_.site, site); }
void ModelEdit::set_network_site(BlobId site) { move_blob(model_.network_site, site); }

void ModelEdit::skip(Kind kind) {
  switch (kind) {
    case Kind::topology: break;  // named, not numbered
    case Kind::domain: domains_.emplace_back(); break;
    case Kind::group: groups_.emplace_back(); break;
    case Kind::reservation: reservations_.emplace_back(); break;
    case Kind::queue: queues_.emplace_back(); break;
    case Kind::node: nodes_.emplace_back(); break;
    case Kind::job: jobs_.emplace_back(); break;
  }
}

void ModelEdit::remove(Kind kind, std::string_view name) {
  const InternTable& table = kind == Kind::job ? model_.job_names : model_.names;
  removals_.push_back(
      {kind, removal_counts_[static_cast<std::size_t>(kind)]++, table.find(name), std::string(name)});
}

void ModelEdit::expect_jobs(std::size_t jobs, std::size_t tasks) {
  jobs_.reserve(jobs_.size() + jobs);
  touched_.reserve(touched_.size() + tasks);
}

std::vector<ModelEdit::PutJob> ModelEdit::put_jobs() const {
  std::vector<PutJob> jobs;
  jobs.reserve(jobs_.size());
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].id) jobs.push_back({jobs_[i].id, i});
  }
  return jobs;
}

RemovedNames ModelEdit::removed() const {
  RemovedNames removed;
  for (const Removal& each : removals_) {
    if (each.kind == Kind::job) removed.add(removed.jobs, each.text);
    if (each.kind == Kind::node) removed.add(removed.nodes, each.text);
  }
  return removed;
}

bool ModelEdit::put_groups() const { return !groups_.empty(); }
bool ModelEdit::touched_queues() const { return queues_touched_; }

RequirementId ModelEdit::intern_requirement(const Requirement& requirement) {
  const InternTable::Id key = model_.requirement_keys.intern(encode_requirement(requirement));
  if (key >= model_.requirements.size()) model_.requirements.grow_to(key + 1);
  if (!model_.requirements[key] || *model_.requirements[key] != requirement) {
    model_.requirements.edit(key) = std::make_shared<const Requirement>(requirement);
  }
  return RequirementId{key};
}

void ModelEdit::put(TopologyDraft& draft) {
  const TopologyId id = place(model_.topologies, draft.row.name, Kind::topology, topologies_,
                              limits_.max_topologies, "max_topologies");
  if (!id) return;
  std::string pci;
  bool any_pci = false;
  for (NodeClass::Device& device : draft.node_class.devices) {
    any_pci = any_pci || !device.pci.empty();
    pci.append(std::exchange(device.pci, {})).push_back('\0');
  }
  const InternTable::Id key = model_.class_keys.intern(encode_class(draft.node_class));
  model_.class_keys.retain(key);
  if (key >= model_.classes.size()) model_.classes.grow_to(key + 1);
  if (!model_.classes[key] || encode_class(*model_.classes[key]) != model_.class_keys.view(key)) {
    model_.classes.edit(key) = std::make_shared<const NodeClass>(draft.node_class);
  }
  TopologyRow& row = model_.topologies.edit(id);
  if (row.node_class) {
    give_up(model_.class_keys, row.node_class.value);
    if (row.nodes > 0) all_nodes_touched_ = true;  // tasks may now name devices that are gone
  }
  row.node_class = ClassId{key};
  move_blob(row.pci, any_pci ? model_.blobs.intern(pci) : kNoBlob);
  move_blob(row.site, draft.row.site);
}

void ModelEdit::put(DomainDraft& draft) {
  const DomainId id =
      place(model_.domains, draft.row.name, Kind::domain, domains_, limits_.max_domains, "max_domains");
  if (!id) return;
  domains_.back().first = draft.level;
  domains_.back().second = draft.parent;
  DomainRow& row = model_.domains.edit(id);
  move_blob(row.site, draft.row.site);
  if (row.parent) --model_.domains.edit(row.parent).children;
  model_.domains.edit(id).parent = {};
  levels_touched_ = true;
}

void ModelEdit::put(GroupDraft& draft) {
  const GroupId id =
      place(model_.groups, draft.row.name, Kind::group, groups_, limits_.max_groups, "max_groups");
  if (!id) return;
  GroupRow& row = model_.groups.edit(id);
  move(row.policy, draft.row.policy);
  move_shape(row.resources, draft.row.resources);
  move_blob(row.site, draft.row.site);
}

void ModelEdit::put(ReservationDraft& draft) {
  const ReservationId id = place(model_.reservations, draft.row.name, Kind::reservation, reservations_,
                                 limits_.max_reservations, "max_reservations");
  if (!id) return;
  detach(id);
  Pending<ReservationId>& pending = reservations_.back();
  pending.first = draft.queue;
  pending.list = static_cast<std::uint32_t>(names_.size());
  pending.list_size = static_cast<std::uint32_t>(draft.nodes.size());
  names_.insert(names_.end(), draft.nodes.begin(), draft.nodes.end());
  ReservationRow& row = model_.reservations.edit(id);
  move(row.user, draft.row.user);
  model_.job_names.retain(draft.row.job);
  give_up(model_.job_names, row.job);
  row.job = draft.row.job;
  move_blob(row.site, draft.row.site);
  row.from = draft.row.from;
  row.until = draft.row.until;
  row.reserved_for = draft.row.reserved_for;
}

void ModelEdit::put(QueueDraft& draft) {
  const QueueId id =
      place(model_.queues, draft.row.name, Kind::queue, queues_, limits_.max_queues, "max_queues");
  if (!id) return;
  detach(id);
  queues_.back().first = draft.parent;
  queues_touched_ = true;
  QueueRow& row = model_.queues.edit(id);
  const QueueRow& given = draft.row;
  move_shape(row.guaranteed, given.guaranteed);
  move_shape(row.max, given.max);
  move_blob(row.settings, given.settings);
  move_blob(row.site, given.site);
  row.weight = given.weight;
  row.delay = given.delay;
  row.fair_share = given.fair_share;
  row.priority_offset = given.priority_offset;
  row.kind = given.kind;
  row.policy = given.policy;
}

void ModelEdit::put(NodeDraft& draft) {
  const NodeId id = place(model_.nodes, draft.row.name, Kind::node, nodes_, limits_.max_nodes, "max_nodes");
  if (!id) return;
  detach(id);
  Pending<NodeId>& pending = nodes_.back();
  pending.first = draft.group;
  pending.second = draft.topology;
  pending.third = draft.home;
  pending.list = static_cast<std::uint32_t>(names_.size());
  pending.list_size = static_cast<std::uint32_t>(draft.network.size());
  names_.insert(names_.end(), draft.network.begin(), draft.network.end());
  NodeRow& row = model_.nodes.edit(id);
  const NodeRow& given = draft.row;
  move_shape(row.resources, given.resources);
  move_blob(row.fingerprint, given.fingerprint);
  move_blob(row.labels, given.labels);
  move_blob(row.site, given.site);
  row.state = given.state;
  row.fingerprint_at = given.fingerprint_at;
  if (draft.overcommit_since != kNoTime || id.value < model_.overcommit_since.size()) {
    if (model_.overcommit_since.size() <= id.value) model_.overcommit_since.grow_to(id.value + 1);
    model_.overcommit_since.edit(id.value) =
        draft.overcommit_since == kNoTime ? 0 : draft.overcommit_since + 1;
  }
  touch(id);
}

// A network comes as a topology.conf of its own and meets the cluster's nodes at the end of an edit.
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
