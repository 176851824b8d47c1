// SPDX-License-Identifier: MIT
#include "placement/exclusivity.h"

#include <algorithm>

namespace cede {

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
  // Nodes of other groups count as well: their tasks can make nobody's domain empty.
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
      const Requirement* theirs = requirement_of(model, job);
      if (!theirs || theirs->exclusive != Exclusive::domain) continue;
      const std::uint32_t level = attributes.level(theirs->exclusive_level);
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
  if (alone && space.node(node).blocked > 0) return false;  // whose victims are still there
  for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
    if (!space.holds(task)) continue;
    const JobId job = model.tasks.core(task).job;
    if (require.exclusive == Exclusive::node && is_stranger(space, job, false)) return false;
    if (require.exclusive == Exclusive::user && is_stranger(space, job, true)) return false;
    const Requirement* theirs = requirement_of(model, job);
    if (!theirs) continue;
    if (theirs->exclusive == Exclusive::node && is_stranger(space, job, false)) return false;
    if (theirs->exclusive == Exclusive::user && is_stranger(space, job, true)) return false;
  }
  return true;
}

}  // namespace cede
