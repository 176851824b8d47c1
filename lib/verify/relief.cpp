// SPDX-License-Identifier: MIT
// Relief and claims: whether the target is within its limit, and claimed nodes have no tasks of other queues.
#include "verify/relief.h"

#include "verify/plan_checks.h"

namespace cede {

bool is_of_target(const PlanFacts& facts, TaskId task) {
  const TaskCore& core = facts.model.tasks.core(task);
  const JobCore& job = facts.model.jobs[core.job];
  switch (facts.subject.purpose) {
    case Purpose::relief_node: return core.node == facts.subject.node;
    case Purpose::relief_job: return core.job == facts.subject.job;
    case Purpose::relief_queue:
      return job.group == facts.group() && facts.model.is_below(job.queue, facts.queue());
    default: return false;
  }
}

PlanFacts::Amounts held_by_target(const PlanFacts& facts) {
  const Subject& target = facts.subject;
  PlanFacts::Amounts held;
  if (target.purpose == Purpose::relief_node) return facts.held_on(target.node);
  if (target.purpose == Purpose::relief_job) {
    for (const TaskId task : facts.placed_tasks(target.job)) {
      if (facts.gone().contains(task)) continue;
      for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task).resources))
        held[entry.resource] += entry.amount;
    }
    return held;
  }
  for (const ResourceAmount& limit : facts.model.shape(facts.model.queues[target.queue].max))
    held[limit.resource] = facts.held_in(target.queue, limit.resource);
  return held;
}

PlanFacts::Amounts over_limit(const PlanFacts& facts, const PlanFacts::Amounts& held) {
  const Model& model = facts.model;
  const Subject& target = facts.subject;
  const bool of_node = target.purpose == Purpose::relief_node;
  const ShapeId limits = of_node                                   ? model.nodes[target.node].resources
                         : target.purpose == Purpose::relief_queue ? model.queues[target.queue].max
                                                                   : model.job_extras[target.job.value].max;
  PlanFacts::Amounts over;
  for (const auto& [resource, amount] : held) {
    // A resource absent from a node is zero there; a resource absent from a limit is unlimited.
    const Amount most = amount_of(model.shape(limits), resource, of_node ? 0 : kNoAmount);
    if (most == kNoAmount || (of_node && facts.counted_by_group(resource))) continue;
    if (amount > most) over[resource] = amount - most;
  }
  return over;
}

namespace plan_check {

// Only a plan marked as partial may leave the target over its limit.
std::string relieved(const PlanFacts& facts) {
  const Plan& plan = facts.plan;
  if (plan.partial && (!facts.subject.is_relief() || plan.outcome != Outcome::preempt))
    return "only relief that preempts can be partial";
  if (!facts.subject.is_relief() || !facts.yes()) return {};
  const bool over = !over_limit(facts, held_by_target(facts)).empty();
  if (plan.partial) return over && !plan.optimal ? std::string{} : "it says partial, and is not";
  if (!over) return {};
  return facts.subject.purpose == Purpose::relief_node
             ? facts.node_name(facts.subject.node) + " is still over its capacity"
             : "what was to be relieved is still over its max";
}

// Only jobs of the claiming queue stay on the claimed nodes, and only victims on these nodes are taken.
std::string claimed(const PlanFacts& facts) {
  if (!facts.subject.is_claim() || !facts.yes()) return {};
  const Model& model = facts.model;
  const auto is_own = [&](JobId job) { return model.is_below(model.jobs[job].queue, facts.queue()); };
  for (const NodeId node : facts.subject.claimed) {
    if (model.nodes[node].state != NodeState::up)
      return "claimed node " + facts.node_name(node) + " is not up";
    for (const InFlight::Blocked* each : facts.kept_from_it(node)) {
      if (each->whole_node && each->queue && !model.is_below(each->queue, facts.queue()))
        return "node " + facts.node_name(node) + " is claimed by queue " + facts.queue_name(each->queue);
    }
    for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
      const JobId job = model.tasks.core(t).job;
      if (!facts.gone().contains(t) && !is_own(job))
        return facts.job_name(job) + " stays on claimed node " + facts.node_name(node);
    }
  }
  for (const VictimUnit& unit : facts.units()) {
    if (is_own(unit.job)) return facts.job_name(unit.job) + " is the claiming queue's own";
    bool here = false;
    for (const TaskId task : unit.tasks) {
      for (const NodeId node : facts.subject.claimed) here = here || model.tasks.core(task).node == node;
    }
    if (!here) return facts.job_name(unit.job) + " is on no claimed node";
  }
  return {};
}

}  // namespace plan_check
}  // namespace cede
