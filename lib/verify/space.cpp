// SPDX-License-Identifier: MIT
// Whether the whole request is placed, on nodes it may use, within the capacity of the nodes, the group and
// the queues.
#include <algorithm>

#include "base/text.h"
#include "verify/eligibility.h"
#include "verify/home.h"
#include "verify/plan_checks.h"
#include "verify/topology.h"

namespace cede {

namespace {

// Whether the node has a reservation that is not for the requester and that the request could still run into.
bool is_reserved(const PlanFacts& facts, NodeId node) {
  const Model& model = facts.model;
  if (model.nodes[node].reservations == 0) return false;
  const JobId job = facts.requester();
  const Duration walltime = model.job_times[job.value].walltime;
  bool found = false;
  model.reservations.for_each([&](ReservationId, const ReservationRow& row) {
    const auto listed = model.reservation_nodes(row);
    if (std::find(listed.begin(), listed.end(), node) == listed.end()) return;
    const bool over = row.until != kNoTime && row.until <= facts.plan.now;
    const bool ends_before = walltime != kNoDuration && facts.plan.now + walltime <= row.from;
    bool ours = false;
    switch (row.reserved_for) {
      case ReservedFor::nobody: break;
      case ReservedFor::queue: ours = model.is_below(facts.queue(), row.queue); break;
      case ReservedFor::user: ours = model.job_owners[job.value].user == row.user; break;
      case ReservedFor::job: ours = model.jobs[job].name == row.job; break;
    }
    found = found || (!over && !ends_before && !ours);
  });
  return found;
}

// `borrowed-node`: in `class-cost` a job that could never be preempted is not placed on a node that its owner
// may want back.
bool may_not_borrow(const PlanFacts& facts) {
  if (!facts.is(Profile::class_cost) || !facts.flag(Setting::avoid_borrowed, facts.queue())) return false;
  const JobId job = facts.requester();
  const std::uint8_t job_class = facts.effective.job_class(job);
  const bool unsaved = facts.effective.checkpoint_mode(job) == CheckpointMode::none;
  return job_class == kSensitiveClass || (unsaved && job_class >= 7) ||
         is_never_preempted(facts.effective, job);
}

bool is_listed(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_labels(const Model& model, const NodeRow& node, const HostRequirement& hosts) {
  const TextPairs labels = model.pairs(node.labels);
  return std::all_of(hosts.labels.begin(), hosts.labels.end(), [&](const auto& wanted) {
    return std::any_of(labels.begin(), labels.end(), [&](const auto& label) {
      return label.first == wanted.first && label.second == wanted.second;
    });
  });
}

}  // namespace

UsableNodes::UsableNodes(const PlanFacts& facts)
    : facts_(facts), avoids_borrowed_(facts.for_job() && may_not_borrow(facts)) {}

std::string UsableNodes::fault(NodeId id) const {
  const NodeRow& node = facts_.model.nodes[id];
  const HostRequirement& hosts = facts_.require().hosts;
  if (node.group != facts_.group()) return facts_.node_name(id) + " is of another group";
  if (node.state != NodeState::up) return facts_.node_name(id) + " is not up";
  if (!facts_.plan.avoid.allow(id))
    return facts_.node_name(id) + " is ruled out by the terms of the question";
  if (avoids_borrowed_ && is_borrowed_by(facts_.model, facts_.queue(), id))
    return facts_.node_name(id) + " is another queue's home, and the request could not be preempted there";
  if (is_reserved(facts_, id)) return facts_.node_name(id) + " is reserved";
  const std::string_view name = facts_.model.name(node.name);
  if ((!hosts.include.empty() && !is_listed(hosts.include, name)) || is_listed(hosts.exclude, name))
    return facts_.node_name(id) + " is not among the hosts allowed";
  if (!hosts.labels.empty() && !has_labels(facts_.model, node, hosts))
    return facts_.node_name(id) + " has not the labels asked for";
  return {};
}

// The requester's own `max`, counted over its tasks that stay and the request.
std::string job_max_fault(const PlanFacts& facts) {
  if (!facts.for_job()) return {};
  const Model& model = facts.model;
  PlanFacts::Amounts held;
  for (const TaskId task : facts.placed_tasks(facts.requester())) {
    if (facts.gone().contains(task)) continue;
    for (const ResourceAmount& each : model.shape(model.tasks.core(task).resources))
      held[each.resource] += each.amount;
  }
  for (const ResourceAmount& most : model.shape(model.job_extras[facts.requester().value].max)) {
    const Total more = facts.asked(most.resource);
    const Total sum = held[most.resource] + more;
    if (more > 0 && sum > most.amount)
      return "the job would use " + format_total(sum) + ' ' +
             std::string(model.resource_name(most.resource)) + " of " + format_amount(most.amount);
  }
  return {};
}

namespace plan_check {

std::string whole_request(const PlanFacts& facts) {
  if (!facts.yes()) return {};
  std::vector<PlanFacts::Wanted> placed;
  for (const PlannedTask& task : facts.plan.placement) placed.push_back({task.task, task.index});
  std::vector<PlanFacts::Wanted> wanted = facts.wanted();
  std::sort(placed.begin(), placed.end());
  std::sort(wanted.begin(), wanted.end());
  const bool twice = std::adjacent_find(placed.begin(), placed.end()) != placed.end();
  if (twice || !std::includes(wanted.begin(), wanted.end(), placed.begin(), placed.end()))
    return "a task is placed that was not asked for, or twice";
  return placed.size() == wanted.size()
             ? std::string{}
             : std::to_string(wanted.size() - placed.size()) + " tasks of the request are not placed";
}

std::string nodes(const PlanFacts& facts) {
  const UsableNodes usable(facts);
  for (const NodeId node : facts.nodes_used()) {
    if (!facts.model.nodes.is_live(node)) return "a task is placed on no node of this cluster";
    if (std::string found = usable.fault(node); !found.empty()) return found;
  }
  for (const PlannedTask& task : facts.plan.placement) {
    const NameId required = facts.model.tasks.extras(task.task).required_node;
    if (required != kNoName && required != facts.model.nodes[task.node].name)
      return "a task that requires a node is on " + facts.node_name(task.node);
  }
  return {};
}

std::string node_space(const PlanFacts& facts) {
  for (const NodeId node : facts.nodes_used()) {
    PlanFacts::Amounts stays = facts.held_on(node);
    for (const InFlight::Blocked* each : facts.kept_from_it(node)) {
      if (each->whole_node) return facts.node_name(node) + " is kept as a whole for another request";
      for (const ResourceAmount& entry : each->amounts) stays[entry.resource] += entry.amount;
    }
    PlanFacts::Amounts comes;
    for (const PlannedTask* task : facts.placed_on(node)) {
      for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task->task).resources)) {
        if (!facts.counted_by_group(entry.resource)) comes[entry.resource] += entry.amount;
      }
    }
    const ResourceView capacity = facts.model.shape(facts.model.nodes[node].resources);
    for (const auto& [resource, amount] : comes) {
      const Amount has = amount_of(capacity, resource);
      if (stays[resource] + amount > has)
        return "node " + facts.node_name(node) + " would hold " + format_total(stays[resource] + amount) +
               ' ' + std::string(facts.model.resource_name(resource)) + " of " + format_amount(has);
    }
  }
  return {};
}

// Resources that the group itself counts are on no node.
std::string group_space(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  for (const ResourceAmount& has : facts.model.shape(facts.model.groups[facts.group()].resources)) {
    const Total more = facts.asked(has.resource);
    if (more == 0) continue;
    Total sum = facts.held_in_group(has.resource) + more;
    for (const InFlight::Blocked* each : facts.kept_from_it(NodeId{}))
      sum += amount_of(each->amounts, has.resource);
    if (sum > has.amount)
      return "the group would use " + format_total(sum) + ' ' +
             std::string(facts.model.resource_name(has.resource)) + " of " + format_amount(has.amount);
  }
  return {};
}

namespace {

// What victims of other decisions still hold in the queue. A request that takes a hold takes over its
// victims.
Total surplus_in(const PlanFacts& facts, QueueId queue, std::uint32_t resource) {
  Total sum = 0;
  const auto add = [&](const InFlight::QueueSurplus& each) {
    const bool counts = each.queue == queue && each.resource == resource && each.group == facts.group();
    if (counts && !facts.takes_hold_of(each.entry)) sum += each.amount;
  };
  facts.plan.in_flight->each_surplus(add);
  facts.plan.in_flight->each_lender([&](const InFlight::Room& lender) {
    if (!facts.comes_after(lender)) std::for_each(lender.surplus.begin(), lender.surplus.end(), add);
  });
  return sum;
}

}  // namespace

// Every `max` up to the root; in `quota` without `check_parent_quota` only the queue's own.
std::string queue_max(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const bool own_only = facts.is(Profile::quota) && !facts.flag(Setting::check_parent_quota, facts.queue());
  for (QueueId queue = facts.queue(); queue; queue = facts.model.queues[queue].parent) {
    for (const ResourceAmount& most : facts.model.shape(facts.model.queues[queue].max)) {
      const Total more = facts.asked(most.resource);
      if (more == 0) continue;
      const Total sum = facts.held_in(queue, most.resource) + surplus_in(facts, queue, most.resource) + more;
      if (sum > most.amount)
        return "queue " + facts.queue_name(queue) + " would use " + format_total(sum) + ' ' +
               std::string(facts.model.resource_name(most.resource)) + " of " + format_amount(most.amount);
    }
    if (own_only) break;
  }
  return {};
}

std::string job_max(const PlanFacts& facts) { return facts.yes() ? job_max_fault(facts) : std::string{}; }

std::string spread_over_nodes(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const Requirement& require = facts.require();
  const std::size_t count = facts.nodes_used().size();
  if (count < require.nodes.min || count > require.nodes.max)
    return std::to_string(count) + " nodes are used, another number is required";
  for (const NodeId node : facts.nodes_used()) {
    const std::size_t tasks = facts.placed_on(node).size();
    if (tasks < require.tasks_per_node.min || tasks > require.tasks_per_node.max)
      return facts.node_name(node) + " gets " + std::to_string(tasks) + " tasks, another number is required";
  }
  return {};
}

}  // namespace plan_check
}  // namespace cede
