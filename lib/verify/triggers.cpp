// SPDX-License-Identifier: MIT
#include "verify/triggers.h"

#include <algorithm>

#include "base/text.h"
#include "verify/guarantee_laws.h"
#include "verify/plan_checks.h"
#include "verify/trial.h"

// Relief and claims: whether the target is within its limit, and claimed nodes have no tasks of other queues.

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

namespace {

// ---- every profile ----

bool is_off(const PlanFacts& facts) { return !facts.effective.preemption_on(facts.queue()); }

// The job itself is on its way out, or none of its tasks waits.
bool not_waiting(const PlanFacts& facts) {
  if (!facts.requester()) return false;
  const JobCore& job = facts.model.jobs[facts.requester()];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (facts.plan.in_flight->is_leaving(TaskId{job.first_task.value + k})) return true;
  }
  return facts.wanted().empty();
}

bool in_progress(const PlanFacts& facts) {
  const InFlight& known = *facts.plan.in_flight;
  if (facts.requester()) return known.has_entry(facts.requester());
  if (!facts.subject.is_relief()) return false;
  const Model& model = facts.model;
  std::string target;
  switch (facts.subject.purpose) {
    case Purpose::relief_node:
      target = "node:" + std::string(model.name(model.nodes[facts.subject.node].name));
      break;
    case Purpose::relief_job: target = "job:" + std::string(model.job_name(facts.subject.job)); break;
    default: target = "queue:" + std::string(model.name(model.queues[facts.queue()].name)); break;
  }
  return std::find(known.relief.begin(), known.relief.end(), std::pair(target, facts.group())) !=
         known.relief.end();
}

bool may_not_preempt(const PlanFacts& facts) { return facts.requester() && !facts.may_preempt(); }

// The request would fit once every task whose walltime ends within the horizon is gone.
bool worth_waiting(const PlanFacts& facts) {
  const Duration horizon = facts.setting(Setting::wait_horizon, facts.queue());
  if (!facts.requester() || horizon == 0 || !Trial::can_judge(facts)) return false;
  const Model& model = facts.model;
  std::vector<std::uint32_t> ending;
  model.jobs.for_each([&](JobId id, const JobCore& job) {
    const Duration walltime = model.job_times[id.value].walltime;
    if (job.group != facts.group() || walltime == kNoDuration) return;
    const Time resumed = model.job_state_times[id.value].resumed;
    for (const TaskId task : facts.placed_tasks(id)) {
      const Time begun = resumed != kNoTime ? resumed : facts.effective.task_start(task);
      if (begun + walltime <= facts.plan.now + horizon) ending.push_back(task.value);
    }
  });
  if (ending.empty()) return false;
  const TaskSet gone(std::move(ending));
  return Trial(facts, gone).fits(gone);
}

// The storm limits leave nothing. That every victim's queue and user stays within its own limit is a cap.
bool out_of_budget(const PlanFacts& facts) {
  const Allowance& allowed = facts.plan.allowance;
  const Purpose purpose = facts.subject.purpose;
  return purpose != Purpose::sensitive_claim && purpose != Purpose::relief_node && allowed.bounds_lost_work &&
         allowed.lost_work.left == 0;
}

// ---- priority ----

// Whether a waiting job certainly fits into its group with every node up and empty: all its tasks are equal
// and request only amounts, with whole devices, and every `max` and the amounts of the group suffice.
bool surely_possible(const PlanFacts& facts, JobId id) {
  const Model& model = facts.model;
  const JobCore& job = model.jobs[id];
  const TaskCore& first = model.tasks.core(job.first_task);
  if (model.job_extras[id.value].require || job.task_rows != 1 || first.node || first.count != 1 ||
      model.tasks.extras(job.first_task).required_node != kNoName ||
      facts.amount(job.first_task, facts.gpu) % kOne != 0)
    return false;
  const ResourceView shape = model.shape(first.resources);
  for (const ResourceAmount& entry : shape) {
    const Amount of_group =
        amount_of(model.shape(model.groups[facts.group()].resources), entry.resource, kNoAmount);
    if (of_group != kNoAmount && entry.amount > of_group) return false;
    const Amount of_job = amount_of(model.shape(model.job_extras[id.value].max), entry.resource, kNoAmount);
    if (of_job != kNoAmount && entry.amount > of_job) return false;
    for (QueueId queue = job.queue; queue; queue = model.queues[queue].parent) {
      const Amount most = amount_of(model.shape(model.queues[queue].max), entry.resource, kNoAmount);
      if (most != kNoAmount && entry.amount > most) return false;
    }
  }
  bool fits = false;
  model.nodes.for_each([&](NodeId, const NodeRow& node) {
    if (fits || node.group != facts.group()) return;
    const std::uint32_t devices = model.device_count(node, facts.gpu);
    const Amount gpus = facts.amount(job.first_task, facts.gpu);
    fits = gpus == 0 || static_cast<Amount>(devices) * kOne >= gpus;
    for (const ResourceAmount& entry : shape) {
      if (!facts.counted_by_group(entry.resource) &&
          amount_of(model.shape(node.resources), entry.resource) < entry.amount)
        fits = false;
    }
  });
  return fits;
}

// The order of service: higher priority, then earlier submission, then name. Both count with the priority of
// their requests; the other job has one waiting task.
bool is_served_before(const PlanFacts& facts, JobId other) {
  const std::int32_t other_priority = facts.effective.task_priority(facts.model.jobs[other].first_task);
  if (other_priority != facts.priority()) return other_priority > facts.priority();
  const Time since = facts.effective.submitted(other);
  const Time own = facts.effective.submitted(facts.requester());
  if (since != own) return since < own;
  return facts.model.job_name(other) < facts.model.job_name(facts.requester());
}

bool not_front(const PlanFacts& facts) {
  if (!facts.requester() || !facts.flag(Setting::front_only, facts.queue())) return false;
  bool found = false;
  facts.model.jobs.for_each([&](JobId id, const JobCore& job) {
    if (found || job.group != facts.group() || id == facts.requester() || !surely_possible(facts, id)) return;
    found = is_served_before(facts, id) && !facts.plan.in_flight->has_entry(id) &&
            !facts.plan.in_flight->is_leaving(job.first_task) && facts.effective.preemption_on(job.queue) &&
            facts.effective.task_may_preempt(job.first_task);
  });
  return found;
}

bool no_lower_priority(const PlanFacts& facts) {
  if (!facts.requester()) return false;
  const std::int32_t own = facts.priority();
  bool found = false;
  facts.model.jobs.for_each([&](JobId id, const JobCore& job) {
    if (found || job.group != facts.group() || id == facts.requester()) return;
    for (const VictimUnit& unit : JobUnits(facts.effective, id, *facts.plan.in_flight).units)
      found = found || unit.priority < own;
  });
  return !found;
}

// A node counts as over its capacity from the time in its document, else from the time when the engine
// first saw it.
bool in_overcommit_grace(const PlanFacts& facts) {
  if (facts.subject.purpose != Purpose::relief_node) return false;
  const Duration grace = facts.setting(Setting::overcommit_grace, QueueId{});
  Time since = facts.model.overcommitted(facts.subject.node);
  if (since == kNoTime) since = facts.plan.in_flight->overcommitted_since(facts.subject.node);
  return grace > 0 && (since == kNoTime || facts.plan.now - since < grace);
}

// ---- class-cost ----

bool preempts_for_quota(const PlanFacts& facts) {
  return facts.subject.purpose == Purpose::relief_queue || facts.subject.purpose == Purpose::relief_job;
}

// The queue's `max`, or one above it, does not admit the request now.
bool over_queue_max(const PlanFacts& facts) {
  if (!facts.requester()) return false;
  for (QueueId queue = facts.queue(); queue; queue = facts.model.queues[queue].parent) {
    if (would_exceed_max(facts, queue)) return true;
  }
  return false;
}

// ---- quota ----

// A job that may not be preempted is held to the minimum, any other to the maximum.
bool outside_minimum(const PlanFacts& facts) {
  return facts.requester() && is_never_preempted(facts.effective, facts.requester()) &&
         !outside_quota(facts).empty();
}

bool outside_maximum(const PlanFacts& facts) {
  return facts.requester() && !is_never_preempted(facts.effective, facts.requester()) &&
         !outside_quota(facts).empty();
}

// ---- fair-share ----

bool not_starving(const PlanFacts& facts) {
  return facts.requester() && facts.fair->starvation(facts.requester()) == Starvation::non_starving;
}

// ---- guarantee ----

bool waited_too_short(const PlanFacts& facts) {
  if (!facts.requester() || facts.needs_named_node()) return false;
  const Duration waited = facts.plan.now - facts.effective.waiting_since(facts.requester());
  return std::max<Duration>(waited, 0) < facts.effective.preemption_delay(facts.queue());
}

bool attempted_lately(const PlanFacts& facts) {
  const Time last = facts.plan.allowance.last_attempt;
  return facts.requester() && last != kNoTime &&
         facts.plan.now - last < facts.setting(Setting::attempt_interval, facts.queue());
}

bool bound_and_over_queue_max(const PlanFacts& facts) {
  return facts.needs_named_node() && over_queue_max(facts);
}

bool over_guarantee(const PlanFacts& facts) {
  return facts.requester() && !facts.needs_named_node() && !facts.flag(Setting::intra_queue, facts.queue()) &&
         !justifying_queue(facts);
}

struct Trigger {
  RuleReason says;
  bool (*refuses)(const PlanFacts&);
};

constexpr Trigger kTriggersOfEveryProfile[] = {
    {{"not-waiting", "nothing of the job waits"}, not_waiting},
    {{"in-progress", "an earlier decision is not finished"}, in_progress},
    {{"off", "preemption is switched off"}, is_off},
    {{"may-not-preempt", "the job may not preempt"}, may_not_preempt},
    {{"overcommit-grace", "the node is over its capacity for less than overcommit_grace"},
     in_overcommit_grace},
};
constexpr Trigger kTriggersOfPriority[] = {
    {{"not-front", "another waiting job is served first"}, not_front},
    {{"no-lower-priority", "no running job has a lower priority"}, no_lower_priority},
};
constexpr Trigger kTriggersOfClassCost[] = {
    {{"no-quota-preemption", "class-cost never preempts because a quota is exceeded"}, preempts_for_quota},
    {{"queue-max", "a max on its path does not admit it today"}, over_queue_max},
};
constexpr Trigger kTriggersOfQuota[] = {
    {{"quota-min", "its quota's minimum does not admit it"}, outside_minimum},
    {{"quota-max", "its quota's maximum does not admit it"}, outside_maximum},
};
constexpr Trigger kTriggersOfFairShare[] = {{{"not-starving", "the job does not starve"}, not_starving}};
constexpr Trigger kTriggersOfGuarantee[] = {
    {{"pending-delay", "it has waited for less than preemption.delay"}, waited_too_short},
    {{"attempt-interval", "it preempted less than attempt_interval ago"}, attempted_lately},
    {{"queue-max", "it is bound to its node, and a max on its path does not admit it today"},
     bound_and_over_queue_max},
    {{"over-guarantee", "no queue on its path lacks any of its guarantee"}, over_guarantee},
};
constexpr Trigger kTriggersAtLast[] = {
    {{"worth-waiting", "running jobs make room within wait_horizon"}, worth_waiting},
    {{"budget", "the storm limits leave nothing"}, out_of_budget},
};

std::span<const Trigger> triggers_of(Profile profile) {
  switch (profile) {
    case Profile::priority: return kTriggersOfPriority;
    case Profile::class_cost: return kTriggersOfClassCost;
    case Profile::quota: return kTriggersOfQuota;
    case Profile::fair_share: return kTriggersOfFairShare;
    case Profile::guarantee: return kTriggersOfGuarantee;
  }
  return {};
}

}  // namespace

std::optional<RuleReason> refused_by(const PlanFacts& facts) {
  for (const std::span<const Trigger> part :
       {std::span<const Trigger>(kTriggersOfEveryProfile), triggers_of(facts.effective.profile()),
        std::span<const Trigger>(kTriggersAtLast)}) {
    for (const Trigger& trigger : part) {
      if (trigger.refuses(facts)) return trigger.says;
    }
  }
  return std::nullopt;
}

std::string plan_check::triggers(const PlanFacts& facts) {
  if (facts.plan.outcome != Outcome::preempt) return {};
  const std::optional<RuleReason> found = refused_by(facts);
  if (!found) return {};
  return "the request is refused by " + std::string(found->rule) + ": " + std::string(found->why);
}

}  // namespace cede
