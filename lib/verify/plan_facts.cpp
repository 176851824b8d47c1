// SPDX-License-Identifier: MIT
#include "verify/plan_facts.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>

#include "base/text.h"

namespace cede {

TaskSet::TaskSet(std::vector<std::uint32_t> rows) : rows_(std::move(rows)) {
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
}

bool TaskSet::contains(TaskId task) const {
  return std::binary_search(rows_.begin(), rows_.end(), task.value);
}

TaskSet TaskSet::without(std::span<const TaskId> tasks) const {
  const TaskSet less = TaskSet().with(tasks);
  TaskSet out;
  std::set_difference(rows_.begin(), rows_.end(), less.rows_.begin(), less.rows_.end(),
                      std::back_inserter(out.rows_));
  return out;
}

TaskSet TaskSet::with(std::span<const TaskId> tasks) const {
  std::vector<std::uint32_t> rows = rows_;
  for (const TaskId task : tasks) rows.push_back(task.value);
  return TaskSet(std::move(rows));
}

namespace {

const Requirement kNothingRequired;

// A job's queue and group are read again from the model. Relief and claims carry their own.
Subject subject_of(const Plan& plan) {
  Subject subject = plan.subject;
  if (subject.purpose == Purpose::job) {
    subject.queue = plan.model().jobs[subject.job].queue;
    subject.group = plan.model().jobs[subject.job].group;
  }
  return subject;
}

TaskSet tasks_of(const std::vector<PlannedVictim>& victims) {
  std::vector<std::uint32_t> rows;
  for (const PlannedVictim& victim : victims) {
    for (const TaskId task : victim.tasks) rows.push_back(task.value);
  }
  return TaskSet(std::move(rows));
}

}  // namespace

PlanFacts::PlanFacts(const Plan& plan_, const PolicySet& policies, const Policy& policy,
                     const QueueUsage* usage_, std::optional<Choice> choice)
    : plan(plan_),
      model(plan_.model()),
      effective(plan_.model(), policies, policy),
      subject(subject_of(plan_)),
      counted(usage_ ? nullptr : std::make_unique<const CountedUsage>(effective, subject.group)),
      usage(usage_ ? *usage_ : *counted),
      fair(policy.profile == Profile::fair_share
               ? std::make_unique<const FairFacts>(effective, subject.group, *plan_.in_flight, plan_.now,
                                                   usage.fair_shares())
               : nullptr),
      gpu(model.find_resource("gpu")),
      cpu(model.find_resource("cpu")),
      gone_(tasks_of(plan_.victims)) {
  if (for_job()) {
    list_requests();
    if (!waiting_.empty()) {
      choice_ = choice ? *choice : choice_of_plan();
      wanted_ = request(choice_.request, choice_.tasks);
      std::sort(wanted_.begin(), wanted_.end());
    }
    read_request();
  }
  read_placement();
  plan.in_flight->each_blocked([&](const InFlight::Blocked& each) { blocked_[each.node].push_back(&each); });
  if (!plan.in_flight->any_blocked_lent()) return;
  plan.in_flight->each_lender([&](const InFlight::Room& lender) {
    for (const InFlight::Blocked& each : lender.blocked) {
      if (!each.whole_node) spare_[each.node].push_back({&lender, &each});
    }
  });
}

void PlanFacts::list_requests() {
  const JobCore& job = model.jobs[subject.job];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const TaskId row{job.first_task.value + k};
    if (!model.tasks.core(row).node) waiting_.push_back(row);
  }
  if (waiting_.empty()) return;
  most_tasks_ = std::numeric_limits<std::uint64_t>::max();
  if (effective.is_gang(subject.job)) {
    const std::uint32_t least = model.job_extras[subject.job.value].min_tasks;
    const std::uint64_t placed = job.task_rows - waiting_.size();
    if (least > 0) most_tasks_ = placed < least ? least - placed : 0;
    firsts_.push_back(0);
    return;
  }
  const std::int64_t per_plan = setting(Setting::tasks_per_plan, queue());
  if (per_plan != kNoSetting) most_tasks_ = static_cast<std::uint64_t>(per_plan);
  // Two rows are of one kind if nothing distinguishes their tasks.
  std::set<std::tuple<ShapeId, NameId, std::int32_t, bool>> seen;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const TaskId row = waiting_[i];
    if (seen.emplace(model.tasks.core(row).resources, model.tasks.extras(row).required_node,
                     effective.task_priority(row), effective.task_may_preempt(row))
            .second)
      firsts_.push_back(i);
  }
}

// The tasks of the row and of rows with equal priority and `may_preempt`: those after it, then those before
// it. Of a gang: all tasks.
std::vector<PlanFacts::Wanted> PlanFacts::request(std::size_t index, std::uint64_t most) const {
  const bool gang = effective.is_gang(subject.job);
  const std::uint64_t limit = std::min(most, most_tasks_);
  const TaskId first = waiting_[firsts_[index]];
  std::vector<Wanted> out;
  for (std::size_t i = 0; i < waiting_.size() && out.size() < limit; ++i) {
    const TaskId row = waiting_[(firsts_[index] + i) % waiting_.size()];
    if (!gang && (effective.task_priority(row) != effective.task_priority(first) ||
                  effective.task_may_preempt(row) != effective.task_may_preempt(first)))
      continue;
    for (std::uint32_t k = 0; k < model.tasks.core(row).count && out.size() < limit; ++k)
      out.push_back({row, k});
  }
  return out;
}

PlanFacts::Choice PlanFacts::choice_of_plan() const {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  if (plan.outcome == Outcome::fits && !effective.is_gang(subject.job)) {
    std::vector<Wanted> placed;
    for (const PlannedTask& task : plan.placement) placed.push_back({task.task, task.index});
    std::sort(placed.begin(), placed.end());
    for (std::size_t i = 0; i < firsts_.size(); ++i) {
      if (!std::binary_search(placed.begin(), placed.end(), Wanted{waiting_[firsts_[i]], 0})) continue;
      std::vector<Wanted> tasks = request(i, placed.size());
      std::sort(tasks.begin(), tasks.end());
      if (tasks == placed) return {i, tasks.size()};
    }
  }
  // Requests are listed in the order of the tasks they begin with.
  const auto may = std::find_if(firsts_.begin(), firsts_.end(), [&](std::size_t first) {
    return effective.is_gang(subject.job) || effective.task_may_preempt(waiting_[first]);
  });
  const std::size_t index = may == firsts_.end() ? 0 : static_cast<std::size_t>(may - firsts_.begin());
  return {index, request(index, kAll).size()};
}

void PlanFacts::read_request() {
  priority_ = effective.priority(subject.job);
  may_preempt_ = effective.may_preempt(subject.job);
  std::map<TaskId, std::uint32_t> rows;
  for (const Wanted& task : wanted()) ++rows[task.row];
  bool first = true;
  for (const auto& [row, count] : rows) {
    const std::int32_t priority = effective.task_priority(row);
    priority_ = first ? priority : std::min(priority_, priority);
    may_preempt_ = (first || may_preempt_) && effective.task_may_preempt(row);
    const bool named = model.tasks.extras(row).required_node != kNoName;
    needs_named_node_ = (first || needs_named_node_) && named;
    first = false;
    for (const ResourceAmount& entry : model.shape(model.tasks.core(row).resources))
      asked_[entry.resource] += static_cast<Total>(entry.amount) * count;
  }
}

std::int64_t PlanFacts::setting(Setting id, QueueId queue) const {
  const std::uint64_t key = std::uint64_t{queue.value} << 8 | static_cast<std::uint64_t>(id);
  const auto known = settings_.find(key);
  if (known != settings_.end()) return known->second;
  return settings_.emplace(key, effective.setting(id, queue)).first->second;
}

std::string PlanFacts::job_name(JobId id) const { return quote(model.job_name(id)); }
std::string PlanFacts::node_name(NodeId id) const { return quote(model.name(model.nodes[id].name)); }
std::string PlanFacts::queue_name(QueueId id) const { return quote(model.name(model.queues[id].name)); }

Total PlanFacts::asked(std::uint32_t resource) const {
  const auto at = asked_.find(resource);
  return at == asked_.end() ? 0 : at->second;
}

const Requirement& PlanFacts::require() const {
  if (!for_job()) return kNothingRequired;
  const RequirementId id = model.job_extras[subject.job.value].require;
  return id ? *model.requirements[id.value] : kNothingRequired;
}

void PlanFacts::set_gone(TaskSet gone) {
  gone_ = std::move(gone);
  units_.reset();
  lost_.reset();
}

const std::vector<VictimUnit>& PlanFacts::units() const {
  if (units_) return *units_;
  std::vector<VictimUnit> units;
  units.reserve(plan.victims.size());
  for (const PlannedVictim& victim : plan.victims) {
    const std::size_t placed = victim.whole_job ? victim.tasks.size() : placed_tasks(victim.job).size();
    add_units(effective, victim, placed, units);
  }
  return units_.emplace(std::move(units));
}

std::vector<TaskId> PlanFacts::placed_tasks(JobId id) const {
  std::vector<TaskId> out;
  const JobCore& job = model.jobs[id];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const TaskId task{job.first_task.value + k};
    if (model.tasks.core(task).node) out.push_back(task);
  }
  return out;
}

Amount PlanFacts::amount(TaskId task, std::uint32_t resource) const {
  if (resource == ResourceId::kNoValue) return 0;
  return amount_of(model.shape(model.tasks.core(task).resources), resource);
}

PlanFacts::Amounts PlanFacts::held_on(NodeId node) const {
  Amounts sum;
  for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
    if (gone_.contains(t)) continue;
    for (const ResourceAmount& entry : model.shape(model.tasks.core(t).resources))
      sum[entry.resource] += entry.amount;
  }
  return sum;
}

const std::map<QueueId, PlanFacts::Amounts>& PlanFacts::lost_by_queue() const {
  if (lost_) return *lost_;
  std::map<QueueId, Amounts> of_queue;  // by queue: its own jobs only
  for (const std::uint32_t row : gone_.rows()) {
    const TaskCore& task = model.tasks.core(TaskId{row});
    const JobCore& job = model.jobs[task.job];
    if (job.group != group()) continue;
    for (const ResourceAmount& entry : model.shape(task.resources))
      of_queue[job.queue][entry.resource] += entry.amount;
  }
  std::map<QueueId, Amounts> lost;
  for (const auto& [own, amounts] : of_queue) {
    for (QueueId queue = own; queue; queue = model.queues[queue].parent) {
      for (const auto& [resource, amount] : amounts) lost[queue][resource] += amount;
    }
  }
  return lost_.emplace(std::move(lost));
}

Total PlanFacts::held_in(QueueId queue, std::uint32_t resource) const {
  const Total used = usage.used(queue, resource);
  const auto lost = lost_by_queue().find(queue);
  if (lost == lost_by_queue().end()) return used;
  const auto less = lost->second.find(resource);
  return less == lost->second.end() ? used : used - less->second;
}

Total PlanFacts::held_in_group(std::uint32_t resource) const {
  QueueId root;
  model.queues.for_each([&](QueueId id, const QueueRow& row) {
    if (!row.parent) root = id;
  });
  return root ? held_in(root, resource) : 0;
}

bool PlanFacts::counted_by_group(std::uint32_t resource) const {
  return amount_of(model.shape(model.groups[group()].resources), resource, kNoAmount) != kNoAmount;
}

Total PlanFacts::occupied(QueueId queue, std::uint32_t resource) const {
  Total sum = usage.used(queue, resource);
  plan.in_flight->each_surplus([&](const InFlight::QueueSurplus& each) {
    if (each.queue == queue && each.resource == resource && each.group == group()) sum += each.amount;
  });
  return sum;
}

std::vector<const InFlight::Blocked*> PlanFacts::kept_from_it(NodeId node) const {
  std::vector<const InFlight::Blocked*> out;
  if (const auto here = blocked_.find(node); here != blocked_.end()) {
    for (const InFlight::Blocked* each : here->second) {
      const bool claimed_by_its_queue = each->queue && queue() && model.is_below(queue(), each->queue);
      if (each->group == group() && !claimed_by_its_queue && !takes_hold_of(each->entry)) out.push_back(each);
    }
  }
  if (const auto here = spare_.find(node); here != spare_.end()) {
    for (const SpareRoom& each : here->second) {
      if (!comes_after(*each.lender) && !takes_hold_of(each.lender->entry) && each.room->group == group())
        out.push_back(each.room);
    }
  }
  return out;
}

bool PlanFacts::comes_after(const InFlight::Room& lender) const {
  return std::find(plan.after.begin(), plan.after.end(), lender.job) != plan.after.end();
}

bool PlanFacts::takes_hold_of(std::uint64_t entry) const {
  const InFlight::Hold* const hold = plan.in_flight->hold_of(entry);
  return hold && gone_.contains(hold->tasks.front());
}

bool PlanFacts::others_leave(NodeId node) const {
  if (!kept_from_it(node).empty()) return true;
  const auto here = spare_.find(node);
  return here != spare_.end() &&
         std::any_of(here->second.begin(), here->second.end(),
                     [&](const SpareRoom& each) { return !takes_hold_of(each.lender->entry); });
}

void PlanFacts::read_placement() {
  by_node_.clear();
  nodes_used_.clear();
  for (const PlannedTask& task : plan.placement) by_node_.push_back(&task);
  std::stable_sort(by_node_.begin(), by_node_.end(),
                   [](const PlannedTask* a, const PlannedTask* b) { return a->node < b->node; });
  for (const PlannedTask* task : by_node_) {
    if (nodes_used_.empty() || nodes_used_.back() != task->node) nodes_used_.push_back(task->node);
  }
}

bool PlanFacts::uses(NodeId node) const {
  return std::binary_search(nodes_used_.begin(), nodes_used_.end(), node);
}

std::span<const PlannedTask* const> PlanFacts::placed_on(NodeId node) const {
  const auto first = std::lower_bound(by_node_.begin(), by_node_.end(), node,
                                      [](const PlannedTask* a, NodeId wanted) { return a->node < wanted; });
  auto last = first;
  while (last != by_node_.end() && (*last)->node == node) ++last;
  return {first, last};
}

}  // namespace cede
