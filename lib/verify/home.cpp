// SPDX-License-Identifier: MIT
#include "verify/home.h"

#include <algorithm>

#include "verify/plan_checks.h"

namespace cede {

bool is_borrowed_by(const Model& model, QueueId queue, NodeId node) {
  const QueueId home = model.nodes[node].home;
  return home && !model.is_below(queue, home);
}

bool is_borrowed(const Model& model, const VictimUnit& unit) {
  const QueueId queue = model.jobs[unit.job].queue;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(),
                     [&](TaskId task) { return is_borrowed_by(model, queue, model.tasks.core(task).node); });
}

// `lower`: any class below the requester's. `banded`: 0 by any higher class, 1-3 by 4 and above, 4-6 by 7 and
// above, 7-9 by 10.
bool class_allows(const PlanFacts& facts, int victim_class) {
  const int own = facts.effective.job_class(facts.requester());
  const auto rule = static_cast<ClassRule>(facts.setting(Setting::class_rule, facts.queue()));
  if (rule == ClassRule::lower) return own > victim_class;
  if (victim_class == 0) return own >= 1;
  if (victim_class <= 3) return own >= 4;
  if (victim_class <= 6) return own >= 7;
  return own >= 10;
}

namespace {

bool is_automatic(const PlanFacts& facts, QueueId queue) {
  return static_cast<ReclaimMode>(facts.setting(Setting::reclaim, queue)) == ReclaimMode::automatic;
}

// The node is a home of the requester: of its queue or of one above it.
bool is_own_home(const PlanFacts& facts, NodeId node) {
  return facts.model.nodes[node].home && !is_borrowed_by(facts.model, facts.queue(), node);
}

}  // namespace

bool may_reclaim(const PlanFacts& facts) {
  if (!facts.is(Profile::class_cost) || !facts.for_job() || !is_automatic(facts, facts.queue())) return false;
  bool any = false;
  facts.model.nodes.for_each([&](NodeId node, const NodeRow&) { any = any || is_own_home(facts, node); });
  return any;
}

bool is_lent(const PlanFacts& facts, const VictimUnit& unit) {
  if (!facts.is(Profile::class_cost) || !facts.for_job() || !is_automatic(facts, facts.queue())) return false;
  const QueueId victim_queue = facts.model.jobs[unit.job].queue;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    const NodeId node = facts.model.tasks.core(task).node;
    return is_own_home(facts, node) && is_borrowed_by(facts.model, victim_queue, node);
  });
}

bool is_taken_back(const PlanFacts& facts, const VictimUnit& unit) {
  return is_lent(facts, unit) && !class_allows(facts, facts.effective.job_class(unit.job));
}

namespace {

// A unit that no reclaim can take back and that is on a node with a home. While any queue reclaims, it gives
// way only to a request that is as safe there afterwards. Class 10 is always safe.
bool is_safe_at_home(const PlanFacts& facts, const VictimUnit& unit) {
  if (facts.effective.job_class(facts.requester()) == kSensitiveClass) return false;
  if (!facts.flag(Setting::protect_home, facts.model.jobs[unit.job].queue)) return false;
  bool any_reclaims = false;
  facts.model.queues.for_each(
      [&](QueueId queue, const QueueRow&) { any_reclaims = any_reclaims || is_automatic(facts, queue); });
  return any_reclaims && !is_borrowed(facts.model, unit) &&
         std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
           return static_cast<bool>(facts.model.nodes[facts.model.tasks.core(task).node].home);
         });
}

bool wants_whole_domain(const Model& model, JobId job) {
  const RequirementId require = model.job_extras[job.value].require;
  return require && model.requirements[require.value]->exclusive == Exclusive::domain;
}

// Whether a victim could serve the request without freeing room on the nodes that it runs on.
bool helps_from_afar(const PlanFacts& facts) {
  for (const auto& [resource, amount] : facts.asked()) {
    if (amount > 0 && facts.counted_by_group(resource)) return true;
  }
  bool any = wants_whole_domain(facts.model, facts.requester());
  facts.model.jobs.for_each([&](JobId job, const JobCore& core) {
    const bool runs = core.group == facts.group() && !facts.placed_tasks(job).empty();
    any = any || (runs && wants_whole_domain(facts.model, job));
  });
  return any;
}

// Whether a job other than the requester runs both on this node and on a home node of the requester.
bool is_tied_to_home(const PlanFacts& facts, NodeId node) {
  for (TaskId t = facts.model.nodes[node].first_task; t; t = facts.model.tasks.core(t).next_on_node) {
    const JobId job = facts.model.tasks.core(t).job;
    if (job == facts.requester()) continue;
    for (const TaskId other : facts.placed_tasks(job)) {
      if (is_own_home(facts, facts.model.tasks.core(other).node)) return true;
    }
  }
  return false;
}

}  // namespace

namespace plan_check {

// If any victim is taken back or was safe at home, the request is safe at home afterwards: it uses its home
// nodes, and nodes without a home that its victims do not leave.
std::string home(const PlanFacts& facts) {
  if (!facts.is(Profile::class_cost) || !facts.for_job() || facts.plan.victims.empty()) return {};
  const auto& units = facts.units();
  const auto binding = std::find_if(units.begin(), units.end(), [&](const VictimUnit& unit) {
    const bool leaves = std::all_of(unit.tasks.begin(), unit.tasks.end(),
                                    [&](TaskId task) { return facts.gone().contains(task); });
    return leaves && (is_taken_back(facts, unit) || is_safe_at_home(facts, unit));
  });
  if (binding == units.end()) return {};
  for (const NodeId node : facts.nodes_used()) {
    if (is_own_home(facts, node)) continue;
    const bool lent = static_cast<bool>(facts.model.nodes[node].home);
    if (lent || is_tied_to_home(facts, node) || helps_from_afar(facts))
      return facts.node_name(node) + " is not safe for a request that takes " + facts.job_name(binding->job);
  }
  return {};
}

std::string cause(const PlanFacts& facts) {
  if (!facts.is(Profile::class_cost) || !facts.for_job() || facts.plan.outcome != Outcome::preempt) return {};
  const bool taken_back = std::any_of(facts.units().begin(), facts.units().end(),
                                      [&](const VictimUnit& unit) { return is_taken_back(facts, unit); });
  const std::string_view right = taken_back ? "reclaim" : "priority";
  return facts.plan.cause == right ? std::string{} : "it is " + std::string(right);
}

}  // namespace plan_check
}  // namespace cede
