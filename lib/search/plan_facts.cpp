// SPDX-License-Identifier: MIT
#include "search/plan_facts.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

namespace {

Request rebuilt(const Effective& effective, const Subject& subject) {
  if (subject.purpose == Purpose::job) return make_request(effective, subject.job);
  Request request;
  static_cast<Subject&>(request) = subject;
  return request;
}

const Requirement kNothingRequired;

}  // namespace

PlanFacts::PlanFacts(const Plan& plan_, const PolicySet& policies, const Policy& policy)
    : plan(plan_),
      model(plan_.model()),
      effective(plan_.model(), policies, policy),
      request(rebuilt(effective, plan_.subject)),
      usage(effective, request.group, *plan_.in_flight),
      fair(policy.profile == Profile::fair_share
               ? std::make_unique<const FairStanding>(effective, request.group, *plan_.in_flight, plan_.now)
               : nullptr),
      asking{effective,        request, plan_.now, {},         usage,
             *plan_.in_flight, nullptr, {},        fair.get(), plan_.allowance} {
  for (const PlannedVictim& victim : plan.victims) {
    for (const TaskId task : victim.tasks) gone.insert(task.value);
  }
}

std::string PlanFacts::job_name(JobId id) const { return quote(model.job_name(id)); }
std::string PlanFacts::node_name(NodeId id) const { return quote(model.name(model.nodes[id].name)); }
std::string PlanFacts::queue_name(QueueId id) const { return quote(model.name(model.queues[id].name)); }

std::vector<TaskId> PlanFacts::placed_tasks(JobId id) const {
  std::vector<TaskId> out;
  const JobCore& job = model.jobs[id];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const TaskId task{job.first_task.value + k};
    if (model.tasks.core(task).node) out.push_back(task);
  }
  return out;
}

std::vector<Unit> PlanFacts::victim_units() const {
  std::vector<Unit> out;
  for (const PlannedVictim& victim : plan.victims) {
    const bool one = victim.hold != 0 || (effective.is_gang(victim.job) && victim.whole_job);
    std::vector<std::vector<TaskId>> parts;
    if (one) {
      parts.push_back(victim.tasks);
    } else {
      for (const TaskId task : victim.tasks) parts.push_back({task});
    }
    const std::size_t placed = placed_tasks(victim.job).size();
    for (const std::vector<TaskId>& part : parts) {
      Unit unit;
      unit.job = victim.job;
      unit.tasks = part;
      unit.hold = victim.hold;
      unit.whole_job = victim.hold == 0 && part.size() == placed;
      unit.priority = std::numeric_limits<std::int32_t>::min();
      unit.start = std::numeric_limits<Time>::max();
      for (const TaskId task : part) {
        unit.priority = std::max(unit.priority, effective.task_priority(task));
        unit.start = std::min(unit.start, effective.task_start(task));
        if (effective.preemptible(task) == Preemptible::no) unit.preemptible = false;
        if (effective.preemptible(task) == Preemptible::last_resort) unit.last_resort = true;
      }
      if (one && victim.hold == 0 && model.job_times[victim.job.value].started != kNoTime)
        unit.start = model.job_times[victim.job.value].started;
      unit.last_resort = unit.last_resort && unit.preemptible;
      out.push_back(std::move(unit));
    }
  }
  return out;
}

PlanFacts::Amounts PlanFacts::held(const std::function<bool(const JobCore&, const TaskCore&)>& filter) const {
  Amounts sum;
  model.jobs.for_each([&](JobId id, const JobCore& job) {
    for (const TaskId task : placed_tasks(id)) {
      if (gone.contains(task.value) || !filter(job, model.tasks.core(task))) continue;
      for (const ResourceAmount& entry : model.shape(model.tasks.core(task).resources))
        sum[entry.resource] += entry.amount;
    }
  });
  return sum;
}

PlanFacts::Amounts PlanFacts::asked() const {
  Amounts sum;
  for (const PlannedTask& task : plan.placement) {
    for (const ResourceAmount& entry : model.shape(model.tasks.core(task.task).resources))
      sum[entry.resource] += entry.amount;
  }
  return sum;
}

std::vector<const InFlight::Blocked*> PlanFacts::kept_from_it(NodeId node) const {
  std::vector<const InFlight::Blocked*> out;
  for (const InFlight::Blocked& each : plan.in_flight->blocked) {
    if (each.node != node || each.group != group()) continue;
    if (each.queue && request.queue && model.is_below(request.queue, each.queue)) continue;
    if (!takes_hold_of(each.entry)) out.push_back(&each);
  }
  for (const InFlight::Spare& spare : plan.in_flight->spare) {
    if (comes_after(spare) || takes_hold_of(spare.entry)) continue;
    for (const InFlight::Blocked& each : spare.room) {
      if (each.node == node && each.group == group()) out.push_back(&each);
    }
  }
  return out;
}

bool PlanFacts::comes_after(const InFlight::Spare& spare) const {
  return std::find(plan.after.begin(), plan.after.end(), spare.job) != plan.after.end();
}

bool PlanFacts::takes_hold_of(std::uint64_t entry) const {
  return std::any_of(plan.in_flight->holds.begin(), plan.in_flight->holds.end(),
                     [&](const InFlight::Hold& hold) {
                       return hold.entry == entry && gone.contains(hold.tasks.front().value);
                     });
}

bool PlanFacts::others_leave(NodeId node) const {
  if (!kept_from_it(node).empty()) return true;
  for (const InFlight::Spare& spare : plan.in_flight->spare) {
    const bool here = std::any_of(spare.room.begin(), spare.room.end(),
                                  [&](const InFlight::Blocked& room) { return room.node == node; });
    if (here && !takes_hold_of(spare.entry)) return true;
  }
  return false;
}

bool PlanFacts::counted_by_group(std::uint32_t resource) const {
  for (const ResourceAmount& entry : model.shape(model.groups[group()].resources)) {
    if (entry.resource == resource) return true;
  }
  return false;
}

const Requirement& PlanFacts::require() const {
  if (!for_job()) return kNothingRequired;
  const RequirementId id = model.job_extras[request.job.value].require;
  return id ? *model.requirements[id.value] : kNothingRequired;
}

std::set<std::uint32_t> PlanFacts::nodes_used() const {
  std::set<std::uint32_t> nodes;
  for (const PlannedTask& task : plan.placement) nodes.insert(task.node.value);
  return nodes;
}

}  // namespace cede
