// SPDX-License-Identifier: MIT
#include "placement/node_attributes.h"

#include <algorithm>

#include "policy/class_price.h"
#include "policy/composition.h"
#include "topology/fit/node_choice.h"

namespace cede {

NodeAttributes::NodeAttributes(const RuleContext& rule_context, const NodeTable& table,
                               const ConformanceRequirement& conformance)
    : model_(rule_context.model()),
      table_(table),
      has_baseline_(conformance.mode == ConformanceMode::baseline) {
  if (table.any_fingerprint()) {
    FingerprintSets sets(model_, conformance, rule_context.now);
    reported_.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const NodeId node = table.nodes()[i].id;
      const FingerprintSets::Answer answer = sets.of(node);
      reported_[i] = {answer.set, answer.reports, !has_baseline_ || sets.meets_baseline(node)};
    }
  }
  if (table.any_home() && rule_context.queue()) {
    borrowed_.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i)
      borrowed_[i] = borrows(model_, rule_context.queue(), table.nodes()[i].id);
  }
}

std::uint32_t NodeAttributes::level(std::string_view name) const {
  for (std::size_t i = 0; i < model_.levels.size(); ++i) {
    if (model_.name(model_.levels[i]) == name) return static_cast<std::uint32_t>(i);
  }
  return kNowhere;
}

namespace {

bool reserved_for_it(const RuleContext& rule_context, const ReservationRow& row) {
  const Model& model = rule_context.model();
  const JobId job = rule_context.request.job;
  switch (row.reserved_for) {
    case ReservedFor::nobody: return false;
    case ReservedFor::queue: return model.is_below(model.jobs[job].queue, row.queue);
    case ReservedFor::user: return model.job_owners[job.value].user == row.user;
    case ReservedFor::job: return model.jobs[job].name == row.job;
  }
  return false;
}

// Nodes with a reservation that the request may run into.
std::vector<NodeId> reserved_nodes(const RuleContext& rule_context) {
  const Model& model = rule_context.model();
  const Duration walltime = model.job_times[rule_context.request.job.value].walltime;
  std::vector<NodeId> nodes;
  model.reservations.for_each([&](ReservationId, const ReservationRow& row) {
    const bool over = row.until != kNoTime && row.until <= rule_context.now;
    const bool ends_before = walltime != kNoDuration && rule_context.now + walltime <= row.from;
    if (over || ends_before || reserved_for_it(rule_context, row)) return;
    const auto listed = model.reservation_nodes(row);
    nodes.insert(nodes.end(), listed.begin(), listed.end());
  });
  return nodes;
}

// The only nodes the request can use; empty if some task is not bound to a node.
std::vector<NameId> required_nodes(const RuleContext& rule_context) {
  std::vector<NameId> names;
  for (const RequestTask& task : rule_context.request.tasks) {
    if (task.required_node == kNoName) return {};
    names.push_back(task.required_node);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool host_allowed(const Model& model, const HostRequirement& hosts, const NodeRow& node) {
  const std::string name(model.name(node.name));
  const auto holds = [&](const std::vector<std::string>& list) {
    return std::binary_search(list.begin(), list.end(), name);
  };
  if (!hosts.include.empty() && !holds(hosts.include)) return false;
  if (holds(hosts.exclude)) return false;
  const TextPairs labels = model.pairs(node.labels);
  return std::all_of(hosts.labels.begin(), hosts.labels.end(), [&](const auto& wanted) {
    return std::find(labels.begin(), labels.end(), std::pair<std::string_view, std::string_view>(wanted)) !=
           labels.end();
  });
}

}  // namespace

void mark_usable(Space& space, const RuleContext& rule_context, const NodeTerms& avoid, Usable when) {
  const Model& model = rule_context.model();
  const RequirementId require = model.job_extras[rule_context.request.job.value].require;
  const std::vector<NodeId> reserved =
      when == Usable::now ? reserved_nodes(rule_context) : std::vector<NodeId>{};
  const Composition& profile = composition(rule_context.effective.profile());
  const std::vector<NameId> bound = required_nodes(rule_context);
  const HostRequirement* hosts = require ? &model.requirements[require.value]->hosts : nullptr;
  if (hosts && *hosts == HostRequirement{}) hosts = nullptr;
  std::vector<std::uint8_t>& usable = space.usable();
  if (when == Usable::now) {
    const std::span<const std::uint8_t> up = space.table().up();
    usable.assign(up.begin(), up.end());
  } else {
    usable.assign(space.size(), 1);
  }
  for (std::size_t i = 0; (hosts || !bound.empty()) && i < space.size(); ++i) {
    const NodeRow& row = model.nodes[space.node(i).id];
    if (hosts && !host_allowed(model, *hosts, row)) usable[i] = 0;
    if (!bound.empty() && !std::binary_search(bound.begin(), bound.end(), row.name)) usable[i] = 0;
  }
  if (when == Usable::ever) return;
  // A profile keeps a request off a node only because of homes.
  for (std::size_t i = 0; space.table().any_home() && i < space.size(); ++i) {
    if (usable[i] != 0 && !profile.may_use(rule_context, space.node(i).id)) usable[i] = 0;
  }
  for (const std::vector<NodeId>* list : {&reserved, &avoid.avoid}) {
    for (const NodeId node : *list) {
      const std::uint32_t index = space.index_of(node);
      if (index != NodeId::kNoValue) usable[index] = 0;
    }
  }
  for (std::size_t i = 0; !avoid.only.empty() && i < space.size(); ++i) {
    if (!avoid.allow(space.node(i).id)) usable[i] = 0;
  }
}

namespace {

const Requirement* requirement_of(const Model& model, JobId job) {
  const RequirementId id = model.job_extras[job.value].require;
  return id ? model.requirements[id.value].get() : nullptr;
}

}  // namespace

bool Exclusivity::matters(const RuleContext& rule_context, const Requirement& require) {
  if (require.exclusive != Exclusive::none) return true;
  const Model& model = rule_context.model();
  for (std::size_t i = 0; i < model.requirements.size(); ++i) {
    if (model.requirements[i] && model.requirements[i]->exclusive != Exclusive::none) return true;
  }
  return false;
}

bool Exclusivity::concerns_domains(const RuleContext& rule_context, const Requirement& require) {
  if (require.exclusive == Exclusive::domain) return true;
  const Model& model = rule_context.model();
  for (std::size_t i = 0; i < model.requirements.size(); ++i) {
    if (model.requirements[i] && model.requirements[i]->exclusive == Exclusive::domain) return true;
  }
  return false;
}

Exclusivity::Exclusivity(const Space& space, const NodeAttributes& attributes, const Requirement& require)
    : space_(space), attributes_(attributes), require_(require) {
  const Model& model = space.model();
  if (require.exclusive == Exclusive::domain) own_level_ = attributes.level(require.exclusive_level);
  domain_taken_.assign(attributes.domain_count(), false);
  domain_closed_.assign(attributes.domain_count(), false);
  const std::span<const std::uint32_t> ranks = space.table().domain_numbers();
  // Nodes of other groups count too: their tasks also keep a domain from being empty.
  model.nodes.for_each([&](NodeId id, const NodeRow& row) {
    const bool ours = space.index_of(id) != ResourceId::kNoValue;
    std::vector<std::uint32_t> domains;
    if (ours && own_level_ != kNowhere && space.node(space.index_of(id)).blocked > 0) {
      domains = domains_of(model, row, ranks);
      if (domains[own_level_] != kNowhere) domain_taken_[domains[own_level_]] = true;
    }
    for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
      const JobId job = model.tasks.core(task).job;
      if ((ours && !space.holds(task)) || !is_stranger(space, job, false)) continue;
      if (domains.empty()) domains = domains_of(model, row, ranks);
      if (own_level_ != kNowhere && domains[own_level_] != kNowhere)
        domain_taken_[domains[own_level_]] = true;
      const Requirement* job_requirement = requirement_of(model, job);
      if (!job_requirement || job_requirement->exclusive != Exclusive::domain) continue;
      const std::uint32_t level = attributes.level(job_requirement->exclusive_level);
      if (level != kNowhere && domains[level] != kNowhere) domain_closed_[domains[level]] = true;
    }
  });
}

bool Exclusivity::is_stranger(const Space& space, JobId job, bool by_user) {
  const JobId own = space.rule_context().requester();
  if (job == own) return false;
  if (!by_user || !own) return true;
  const Model& model = space.model();
  const NameId user = model.job_owners[own.value].user;
  return user == kNoName || user != model.job_owners[job.value].user;
}

bool Exclusivity::allows(std::size_t node) const {
  const auto domains = attributes_.domains(node);
  if (own_level_ != kNowhere && (domains[own_level_] == kNowhere || domain_taken_[domains[own_level_]]))
    return false;
  if (std::any_of(domains.begin(), domains.end(),
                  [&](std::uint32_t domain) { return domain != kNowhere && domain_closed_[domain]; }))
    return false;
  return node_allows(space_, require_, node);
}

bool Exclusivity::node_allows(const Space& space, const Requirement& require, std::size_t node) {
  const Model& model = space.model();
  const NodeRow& row = model.nodes[space.node(node).id];
  const bool alone = require.exclusive == Exclusive::node || require.exclusive == Exclusive::user;
  if (alone && space.node(node).blocked > 0) return false;  // victims are still there
  for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
    if (!space.holds(task)) continue;
    const JobId job = model.tasks.core(task).job;
    if (require.exclusive == Exclusive::node && is_stranger(space, job, false)) return false;
    if (require.exclusive == Exclusive::user && is_stranger(space, job, true)) return false;
    const Requirement* job_requirement = requirement_of(model, job);
    if (!job_requirement) continue;
    if (job_requirement->exclusive == Exclusive::node && is_stranger(space, job, false)) return false;
    if (job_requirement->exclusive == Exclusive::user && is_stranger(space, job, true)) return false;
  }
  return true;
}

}  // namespace cede
