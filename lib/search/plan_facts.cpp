// SPDX-License-Identifier: MIT
#include "search/plan_facts.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

namespace {

Request rebuilt(const EffectiveSettings& effective, const Subject& subject) {
  if (subject.purpose == Purpose::job) return make_request(effective, subject.job);
  Request request;
  static_cast<Subject&>(request) = subject;
  return request;
}

const Requirement kNothingRequired;

}  // namespace

PlanFacts::PlanFacts(const Plan& plan_, const PolicySet& policies, const Policy& policy,
                     const GroupUsage* usage_)
    : plan(plan_),
      model(plan_.model()),
      effective(plan_.model(), policies, policy),
      request(rebuilt(effective, plan_.subject)),
      counted(usage_ ? std::nullopt
                     : std::make_optional<GroupUsage>(effective, request.group, *plan_.in_flight)),
      usage(usage_ ? *usage_ : *counted),
      fair(policy.profile == Profile::fair_share ? std::make_unique<const FairShareStatus>(
                                                       effective, request.group, *plan_.in_flight, plan_.now)
                                                 : nullptr),
      rule_context{effective,        request, plan_.now,  plan_.protect,  usage,
                   *plan_.in_flight, {},      fair.get(), plan_.allowance} {
  for (const PlannedVictim& victim : plan.victims) {
    for (const TaskId task : victim.tasks) gone.insert(task.value);
  }
  read_placement();
  for (const InFlight::Blocked& each : plan.in_flight->blocked) blocked_[each.node].push_back(&each);
  for (const InFlight::SurplusRoom& surplus_room : plan.in_flight->surplus_rooms) {
    for (const InFlight::Blocked& each : surplus_room.room)
      spare_[each.node].emplace_back(surplus_room.entry, &each);
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

PlanFacts::Amounts PlanFacts::held_on(NodeId node) const {
  Amounts sum;
  for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
    if (gone.contains(t.value)) continue;
    for (const ResourceAmount& entry : model.shape(model.tasks.core(t).resources))
      sum[entry.resource] += entry.amount;
  }
  return sum;
}

std::map<QueueId, PlanFacts::Amounts> PlanFacts::lost_by_queue() const {
  std::map<QueueId, Amounts> lost;
  for (const std::uint32_t row : gone) {
    const TaskCore& task = model.tasks.core(TaskId{row});
    const JobCore& job = model.jobs[task.job];
    if (job.group != group()) continue;
    for (QueueId queue = job.queue; queue; queue = model.queues[queue].parent) {
      for (const ResourceAmount& entry : model.shape(task.resources))
        lost[queue][entry.resource] += entry.amount;
    }
  }
  return lost;
}

PlanFacts::Amounts PlanFacts::held_in(QueueId queue) const {
  Amounts sum;
  const std::map<QueueId, Amounts> lost = lost_by_queue();
  const auto less = lost.find(queue);
  for (std::uint32_t r = 0; r < usage.resources(); ++r) {
    Total amount = usage.used(queue, r);
    if (less != lost.end() && less->second.contains(r)) amount -= less->second.at(r);
    if (amount != 0) sum[r] = amount;
  }
  return sum;
}

PlanFacts::Amounts PlanFacts::held_in_group() const {
  QueueId root;
  model.queues.for_each([&](QueueId id, const QueueRow& row) {
    if (!row.parent) root = id;
  });
  return root ? held_in(root) : Amounts{};
}

PlanFacts::Amounts PlanFacts::asked() const {
  Amounts sum;
  for (const PlannedTask& task : plan.placement) {
    for (const ResourceAmount& entry : model.shape(model.tasks.core(task.task).resources))
      sum[entry.resource] += entry.amount;
  }
  return sum;
}

bool PlanFacts::is_kept_from_it(const InFlight::Blocked& each) const {
  if (each.group != group()) return false;
  if (each.queue && request.queue && model.is_below(request.queue, each.queue)) return false;
  return !takes_hold_of(each.entry);
}

std::vector<const InFlight::Blocked*> PlanFacts::kept_from_it(NodeId node) const {
  std::vector<const InFlight::Blocked*> out;
  if (const auto here = blocked_.find(node); here != blocked_.end()) {
    for (const InFlight::Blocked* each : here->second) {
      if (is_kept_from_it(*each)) out.push_back(each);
    }
  }
  if (const auto here = spare_.find(node); here != spare_.end()) {
    for (const auto& [entry, each] : here->second) {
      const auto lender = std::find_if(
          plan.in_flight->surplus_rooms.begin(), plan.in_flight->surplus_rooms.end(),
          [id = entry](const InFlight::SurplusRoom& surplus_room) { return surplus_room.entry == id; });
      if (!comes_after(*lender) && !takes_hold_of(entry) && each->group == group()) out.push_back(each);
    }
  }
  return out;
}

bool PlanFacts::comes_after(const InFlight::SurplusRoom& surplus_room) const {
  return std::find(plan.after.begin(), plan.after.end(), surplus_room.job) != plan.after.end();
}

bool PlanFacts::takes_hold_of(std::uint64_t entry) const {
  return std::any_of(plan.in_flight->holds.begin(), plan.in_flight->holds.end(),
                     [&](const InFlight::Hold& hold) {
                       return hold.entry == entry && gone.contains(hold.tasks.front().value);
                     });
}

bool PlanFacts::others_leave(NodeId node) const {
  if (!kept_from_it(node).empty()) return true;
  const auto here = spare_.find(node);
  return here != spare_.end() && std::any_of(here->second.begin(), here->second.end(),
                                             [&](const auto& each) { return !takes_hold_of(each.first); });
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

void PlanFacts::read_placement() {
  nodes_used_.clear();
  placed_.clear();
  for (const PlannedTask& task : plan.placement) {
    nodes_used_.insert(task.node.value);
    placed_[task.node].push_back(&task);
  }
}

std::span<const PlannedTask* const> PlanFacts::placed_on(NodeId node) const {
  const auto here = placed_.find(node);
  return here == placed_.end() ? std::span<const PlannedTask* const>()
                               : std::span<const PlannedTask* const>(here->second);
}

}  // namespace cede
