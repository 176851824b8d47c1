// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text.h"
#include "policy/composition.h"
#include "search/plan_facts.h"

namespace cede::plan_check {

PlanFacts::Amounts held_by_target(const PlanFacts& facts) {
  const Request& request = facts.request;
  const Model& model = facts.model;
  const auto held_by_job = [&] {
    PlanFacts::Amounts sum;
    for (const TaskId task : facts.placed_tasks(request.job)) {
      if (facts.gone.contains(task.value)) continue;
      for (const ResourceAmount& entry : model.shape(model.tasks.core(task).resources))
        sum[entry.resource] += entry.amount;
    }
    return sum;
  };
  return request.purpose == Purpose::relief_node  ? facts.held_on(request.node)
         : request.purpose == Purpose::relief_job ? held_by_job()
                                                  : facts.held_in(request.queue);
}

PlanFacts::Amounts over_limit(const PlanFacts& facts, PlanFacts::Amounts stays) {
  const Request& request = facts.request;
  const Model& model = facts.model;
  PlanFacts::Amounts over;
  if (request.purpose == Purpose::relief_node) {
    for (const auto& [resource, amount] : stays) {
      const Total most = amount_of(model.shape(model.nodes[request.node].resources), resource);
      if (!facts.counted_by_group(resource) && amount > most) over[resource] = amount - most;
    }
    return over;
  }
  const ShapeId bounds = request.purpose == Purpose::relief_queue ? model.queues[request.queue].max
                                                                  : model.job_extras[request.job.value].max;
  for (const ResourceAmount& bound : model.shape(bounds)) {
    if (stays[bound.resource] > bound.amount) over[bound.resource] = stays[bound.resource] - bound.amount;
  }
  return over;
}

PlanFacts::Amounts over_limit(const PlanFacts& facts) { return over_limit(facts, held_by_target(facts)); }

bool is_of_target(const PlanFacts& facts, TaskId task) {
  const TaskCore& core = facts.model.tasks.core(task);
  switch (facts.request.purpose) {
    case Purpose::relief_node: return core.node == facts.request.node;
    case Purpose::relief_job: return core.job == facts.request.job;
    default: return facts.model.is_below(facts.model.jobs[core.job].queue, facts.request.queue);
  }
}

// A partial plan says so, and only then is anything still over.
std::string relieved(const PlanFacts& facts) {
  if (facts.plan.partial && (!facts.request.is_relief() || facts.plan.outcome != Outcome::preempt))
    return "only relief that preempts can be partial";
  if (!facts.request.is_relief() || !facts.yes()) return {};
  const bool over = !over_limit(facts).empty();
  if (facts.plan.partial) return over && !facts.plan.optimal ? std::string{} : "it says partial, and is not";
  if (!over) return {};
  return facts.request.purpose == Purpose::relief_node
             ? facts.node_name(facts.request.node) + " is still over its capacity"
             : "what was to be relieved is still over its max";
}

// Nobody but the claiming queue's own jobs stays on the claimed nodes.
std::string claimed(const PlanFacts& facts) {
  if (!facts.request.is_claim() || !facts.yes()) return {};
  for (const NodeId node : facts.request.claimed) {
    if (facts.model.nodes[node].state != NodeState::up)
      return "claimed node " + facts.node_name(node) + " is not up";
    for (const InFlight::Blocked* each : facts.kept_from_it(node)) {
      if (each->whole_node && each->queue && !facts.model.is_below(each->queue, facts.request.queue))
        return "node " + facts.node_name(node) + " is claimed by queue " + facts.queue_name(each->queue);
    }
    for (TaskId t = facts.model.nodes[node].first_task; t; t = facts.model.tasks.core(t).next_on_node) {
      const JobId job = facts.model.tasks.core(t).job;
      if (facts.gone.contains(t.value) ||
          facts.model.is_below(facts.model.jobs[job].queue, facts.request.queue))
        continue;
      return facts.job_name(job) + " stays on claimed node " + facts.node_name(node);
    }
  }
  return {};
}

std::string max_victims(const PlanFacts& facts) {
  if (facts.request.is_claim()) return {};
  const std::int64_t most = facts.effective.setting(Setting::max_victims, facts.request.queue);
  if (most == kNoSetting || static_cast<std::int64_t>(facts.plan.victims.size()) <= most) return {};
  return std::to_string(facts.plan.victims.size()) + " jobs give way, max_victims is " + std::to_string(most);
}

std::string value_exceeded(const PlanFacts& facts) {
  if (facts.effective.profile() != Profile::class_cost || !facts.for_job() || facts.plan.victims.empty())
    return {};
  Total value = facts.model.job_extras[facts.request.job.value].value;
  if (value < 0) {
    const std::int64_t rate = facts.effective.setting(Setting::value_per_gpu_hour, facts.request.queue);
    const Duration walltime = facts.model.job_times[facts.request.job.value].walltime;
    const std::uint32_t gpu = facts.model.find_resource("gpu");
    if (rate == kNoSetting || walltime == kNoDuration || gpu == ResourceId::kNoValue) return {};
    Total gpus = 0;
    for (const RequestTask& task : facts.request.tasks)
      gpus += amount_of(facts.model.shape(task.resources), gpu);
    const Total whole = static_cast<Total>(kHour) * kOne;
    value = (2 * gpus * walltime * rate + whole) / (2 * whole);
  }
  return facts.plan.cost < value ? std::string{}
                                 : "the victims cost as much as the request is worth, or more";
}

// The quota formulas, for the queue and every one above it.
std::string quota(const PlanFacts& facts) {
  if (facts.effective.profile() != Profile::quota || !facts.for_job() || !facts.yes()) return {};
  const Model& model = facts.model;
  const auto is_fixed_job = [&](JobId id) {
    const JobCore& job = model.jobs[id];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      if (facts.effective.preemptible(TaskId{job.first_task.value + k}) == Preemptible::no) return true;
    }
    return false;
  };
  const bool fixed = is_fixed_job(facts.request.job);
  const PlanFacts::Amounts more = facts.asked();
  for (QueueId queue = facts.request.queue; queue; queue = model.queues[queue].parent) {
    for (const auto& [resource, amount] : more) {
      if (amount == 0) continue;
      const Amount least = amount_of(model.shape(model.queues[queue].guaranteed), resource);
      const Amount most = amount_of(model.shape(model.queues[queue].max), resource, kNoAmount);
      if (fixed && model.queues[queue].guaranteed != kNoShape &&
          facts.usage.fixed_used(queue, resource) + amount > least)
        return "queue " + facts.queue_name(queue) + " would exceed its minimum with what cannot be preempted";
      const Total owed = std::min<Total>(least, facts.usage.fixed_requested(queue, resource));
      if (!fixed && most != kNoAmount && owed + facts.usage.preemptible_used(queue, resource) + amount > most)
        return "queue " + facts.queue_name(queue) + " would not keep room for what it owes";
    }
    if (!facts.effective.flag(Setting::check_parent_quota, facts.request.queue)) break;
  }
  return {};
}

// No queue ends with less than its guarantee and less than it had.
std::string below_guarantee(const PlanFacts& facts) {
  const bool applies = facts.effective.profile() == Profile::guarantee || facts.request.is_relief();
  const bool bound = std::any_of(facts.request.tasks.begin(), facts.request.tasks.end(),
                                 [](const RequestTask& task) { return task.required_node != kNoName; });
  if (!applies || bound || facts.plan.outcome != Outcome::preempt) return {};
  const PlanFacts::Amounts more = facts.asked();
  for (const auto& [queue, lost] : facts.lost_by_queue()) {
    const bool gains = facts.for_job() && facts.model.is_below(facts.request.queue, queue);
    for (const ResourceAmount& entry : facts.model.shape(facts.model.queues[queue].guaranteed)) {
      const Total had = facts.usage.used(queue, entry.resource);
      const auto less = lost.find(entry.resource);
      const auto gain = more.find(entry.resource);
      const Total left =
          had - (less == lost.end() ? 0 : less->second) + (gains && gain != more.end() ? gain->second : 0);
      if (left < std::min<Total>(entry.amount, had))
        return "queue " + facts.queue_name(queue) + " loses its guarantee";
    }
  }
  return {};
}

// What the storm limits leave is not exceeded: units of each victim queue and user, and work lost.
std::string budget(const PlanFacts& facts) {
  const Allowance& allowed = facts.plan.allowance;
  if (facts.request.purpose == Purpose::sensitive_claim) return {};
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> taken;  // by whom: how many, of how many
  std::int64_t lost = 0;
  for (const Unit& unit : facts.victim_units()) {
    if (unit.hold != 0) continue;
    const QueueId queue = facts.model.jobs[unit.job].queue;
    const NameId user = facts.model.job_owners[unit.job.value].user;
    if (allowed.bounds_queues) {
      auto& [count, most] = taken["queue " + facts.queue_name(queue)];
      ++count;
      most = allowed.of_queue(queue).left;
    }
    if (allowed.bounds_users && user != kNoName) {
      auto& [count, most] = taken["user " + quote(facts.model.name(user))];
      ++count;
      most = allowed.of_user(user).left;
    }
    lost += lost_work(facts.rule_context, unit);
  }
  for (const auto& [whose, figures] : taken) {
    if (figures.first > figures.second) return whose + " loses more than the storm limits leave";
  }
  return allowed.bounds_lost_work && lost > allowed.lost_work.left
             ? "more work is lost than the storm limits leave"
             : std::string{};
}

// Whether the unit frees something that the group counts and has too little of, wherever it runs.
bool frees_for_group(const PlanFacts& facts, const Unit& unit) {
  QueueId root = facts.request.queue;
  while (root && facts.model.queues[root].parent) root = facts.model.queues[root].parent;
  PlanFacts::Amounts more = facts.asked();
  for (const ResourceAmount& has : facts.model.shape(facts.model.groups[facts.group()].resources)) {
    Total kept = 0;
    for (const InFlight::Blocked* each : facts.kept_from_it(NodeId{}))
      kept += amount_of(each->amounts, has.resource);
    if (more[has.resource] == 0 ||
        facts.usage.used(root, has.resource) + kept + more[has.resource] <= has.amount)
      continue;
    for (const TaskId task : unit.tasks) {
      if (amount_of(facts.model.shape(facts.model.tasks.core(task).resources), has.resource) > 0) return true;
    }
  }
  return false;
}

// Victims that make space are on a node of the placement, or all on one; the others make room in a queue.
std::string one_node(const PlanFacts& facts) {
  if (!facts.for_job() || facts.plan.outcome != Outcome::preempt) return {};
  const OneNode rule = composition(facts.effective.profile()).one_node(facts.rule_context);
  if (rule == OneNode::anywhere) return {};
  const std::set<std::uint32_t> used = facts.nodes_used();
  std::set<std::uint32_t> common;  // nodes that every victim so far is on
  bool first = true;
  for (const Unit& unit : facts.victim_units()) {
    bool makes_room = frees_for_group(facts, unit);
    const QueueId queue = facts.model.jobs[unit.job].queue;
    for (QueueId q = facts.request.queue; q; q = facts.model.queues[q].parent) {
      PlanFacts::Amounts more = facts.asked();
      for (const ResourceAmount& bound : facts.model.shape(facts.model.queues[q].max)) {
        const bool frees =
            facts.model.is_below(queue, q) ||
            (unit.hold != 0 && facts.plan.in_flight->has_surplus(unit.hold, q, bound.resource));
        makes_room = makes_room ||
                     (frees && facts.usage.occupied(q, bound.resource) + more[bound.resource] > bound.amount);
      }
    }
    if (makes_room) continue;
    std::set<std::uint32_t> nodes;
    for (const TaskId task : unit.tasks) nodes.insert(facts.model.tasks.core(task).node.value);
    const bool here =
        std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return used.contains(n); });
    if (!here) return facts.job_name(unit.job) + " is on none of the request's nodes";
    if (first) {
      common = nodes;
    } else {
      std::erase_if(common, [&](std::uint32_t n) { return !nodes.contains(n); });
    }
    first = false;
    if (rule == OneNode::all_victims && common.empty()) return "the victims are not on one node";
  }
  return {};
}

// Who lost a task within its share is still more satisfied than the requester was.
std::string no_gain(const PlanFacts& facts) {
  if (facts.effective.profile() != Profile::fair_share || !facts.for_job()) return {};
  const auto satisfaction = [&](JobId job, bool after) {
    PlanFacts::Amounts used;
    for (const TaskId task : facts.placed_tasks(job)) {
      if (after && facts.gone.contains(task.value)) continue;
      for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task).resources))
        used[entry.resource] += entry.amount;
    }
    Share most = 0;
    for (const auto& [resource, amount] : used)
      most = std::max(most, share_of(amount, facts.usage.capacity(resource)));
    return std::pair<Wide, Wide>(most, facts.fair->shares().dominant[facts.fair->tree().element(job)]);
  };
  const auto [own, own_fair] = satisfaction(facts.request.job, false);
  for (const Unit& unit : facts.victim_units()) {
    if (facts.fair->tier(unit) != TaskTier::aggressively_preemptible) continue;
    const auto [left, fair] = satisfaction(unit.job, true);
    const Wide slight = fair * own_fair / 1'000'000'000;  // counts as equal
    if (left * own_fair - own * fair <= slight)
      return facts.job_name(unit.job) + " ends no more satisfied than the requester was";
  }
  return {};
}

}  // namespace cede::plan_check
