// SPDX-License-Identifier: MIT
// Whether exclusive nodes and domains are shared with no other job.
#include <set>

#include "verify/network_place.h"
#include "verify/plan_checks.h"

namespace cede::plan_check {

namespace {

const Requirement* requirement_of(const PlanFacts& facts, JobId job) {
  const RequirementId id = facts.model.job_extras[job.value].require;
  return id ? facts.model.requirements[id.value].get() : nullptr;
}

bool have_one_user(const PlanFacts& facts, JobId a, JobId b) {
  const NameId user = facts.model.job_owners[a.value].user;
  return user != kNoName && user == facts.model.job_owners[b.value].user;
}

std::string shared(const PlanFacts& facts, NodeId node, JobId with) {
  return facts.node_name(node) + " is shared with " + facts.job_name(with) + " against a wish to be alone";
}

// Calls visit(job) for each task of another job that stays on the node.
template <class Visit>
void each_stranger(const PlanFacts& facts, NodeId node, Visit visit) {
  for (TaskId t = facts.model.nodes[node].first_task; t; t = facts.model.tasks.core(t).next_on_node) {
    const JobId job = facts.model.tasks.core(t).job;
    if (job != facts.requester() && !facts.gone().contains(t)) visit(job);
  }
}

// On the nodes of the request.
std::string on_nodes(const PlanFacts& facts) {
  const auto minds = [&](const Requirement& asks, JobId other) {
    return asks.exclusive == Exclusive::node ||
           (asks.exclusive == Exclusive::user && !have_one_user(facts, other, facts.requester()));
  };
  const Requirement& own = facts.require();
  std::string found;
  for (const NodeId node : facts.nodes_used()) {
    if ((own.exclusive == Exclusive::node || own.exclusive == Exclusive::user) && facts.others_leave(node))
      return facts.node_name(node) + " is kept by a decision in flight, and the request is to be alone";
    each_stranger(facts, node, [&](JobId job) {
      const Requirement* theirs = requirement_of(facts, job);
      if (found.empty() && (minds(own, job) || (theirs && minds(*theirs, job))))
        found = shared(facts, node, job);
    });
    if (!found.empty()) return found;
  }
  return {};
}

bool anybody_wants_domains(const PlanFacts& facts) {
  if (facts.require().exclusive == Exclusive::domain) return true;
  for (std::size_t i = 0; i < facts.model.requirements.size(); ++i) {
    const Requirement* asks = facts.model.requirements[i].get();
    if (asks && asks->exclusive == Exclusive::domain) return true;
  }
  return false;
}

// In the domains of the request: no other job stays in a domain that the request has alone, and the request
// is in no domain that another job has alone.
std::string in_domains(const PlanFacts& facts) {
  const Model& model = facts.model;
  const Requirement& own = facts.require();
  const bool alone = own.exclusive == Exclusive::domain;
  const std::uint32_t own_level = level_number(model, own.exclusive_level);
  std::set<DomainId> used;  // of every level
  for (const NodeId node : facts.nodes_used()) {
    for (std::uint32_t level = 0; level < model.levels.size(); ++level) {
      if (const DomainId domain = domain_of(model, node, level)) used.insert(domain);
    }
    if (alone && !domain_of(model, node, own_level))
      return facts.node_name(node) + " is in no " + own.exclusive_level + " to be alone in";
  }
  std::string found;
  model.nodes.for_each([&](NodeId node, const NodeRow&) {
    if (!found.empty()) return;
    const auto is_near = [&](std::uint32_t level) {
      const DomainId domain = domain_of(model, node, level);
      return domain && used.contains(domain);
    };
    if (alone && is_near(own_level) && facts.others_leave(node))
      found = facts.node_name(node) + " is kept by a decision in flight, and the request is to be alone";
    each_stranger(facts, node, [&](JobId job) {
      const Requirement* theirs = requirement_of(facts, job);
      const bool they_mind = theirs && theirs->exclusive == Exclusive::domain &&
                             is_near(level_number(model, theirs->exclusive_level));
      if (found.empty() && ((alone && is_near(own_level)) || they_mind)) found = shared(facts, node, job);
    });
  });
  return found;
}

}  // namespace

std::string exclusivity(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  if (std::string found = on_nodes(facts); !found.empty()) return found;
  return anybody_wants_domains(facts) ? in_domains(facts) : std::string{};
}

}  // namespace cede::plan_check
