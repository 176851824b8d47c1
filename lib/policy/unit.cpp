// SPDX-License-Identifier: MIT
#include "policy/unit.h"

#include <algorithm>
#include <limits>
#include <set>

namespace cede {

namespace {

// The most protected task of a unit decides: not preemptible beats last resort, last resort beats
// preemptible.
void protect(Unit& unit, Preemptible task) {
  if (task == Preemptible::no) unit.preemptible = false;
  if (task == Preemptible::last_resort) unit.last_resort = true;
}

Unit unit_of(const EffectiveSettings& effective, JobId job, UnitTasks tasks, bool whole_job, bool gang) {
  Unit unit;
  unit.job = job;
  unit.tasks = std::move(tasks);
  unit.whole_job = whole_job;
  unit.priority = effective.task_priority(unit.tasks.front());
  unit.start = effective.task_start(unit.tasks.front());
  for (const TaskId task : unit.tasks) {
    unit.priority = std::max(unit.priority, effective.task_priority(task));
    unit.start = std::min(unit.start, effective.task_start(task));
    protect(unit, effective.preemptible(task));
  }
  const Time started = effective.model().job_times[job.value].started;
  if (gang && started != kNoTime) unit.start = started;
  if (!unit.preemptible) unit.last_resort = false;
  const Total held = gpus_or_nodes(effective.model(), unit);
  if (held <= std::numeric_limits<std::int64_t>::max()) unit.held = static_cast<std::int64_t>(held);
  return unit;
}

void add_job(const EffectiveSettings& effective, JobId job, const InFlight& in_flight,
             std::vector<Unit>& out) {
  const Model& model = effective.model();
  const JobCore& core = model.jobs[job];
  std::vector<TaskId> placed;
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const TaskId row{core.first_task.value + k};
    if (model.tasks.core(row).node) placed.push_back(row);
  }
  if (const InFlight::Hold* hold = in_flight.hold(job)) {
    Unit unit = unit_of(effective, job, hold->tasks, false, false);
    unit.hold = hold->entry;
    out.push_back(std::move(unit));
    std::erase_if(placed, [&](TaskId task) {
      return std::binary_search(hold->tasks.begin(), hold->tasks.end(), task);
    });
  }
  if (placed.empty()) return;
  if (!effective.is_gang(job)) {
    for (const TaskId task : placed)
      out.push_back(unit_of(effective, job, {task}, placed.size() == 1, false));
    return;
  }
  out.push_back(unit_of(effective, job, placed, true, true));
  const std::uint32_t min_tasks = model.job_extras[job.value].min_tasks;
  if (min_tasks == 0 || placed.size() <= min_tasks) return;
  out.back().whole_elastic = true;
  // Newest first. If starts are equal, the later task of the job goes first.
  std::vector<TaskId> removable = placed;
  std::erase_if(removable, [&](TaskId task) { return model.tasks.extras(task).originator; });
  std::stable_sort(removable.begin(), removable.end(), [&](TaskId a, TaskId b) {
    const Time sa = effective.task_start(a);
    const Time sb = effective.task_start(b);
    return sa != sb ? sa > sb : a > b;
  });
  if (removable.size() > placed.size() - min_tasks) removable.resize(placed.size() - min_tasks);
  for (const TaskId task : removable) out.push_back(unit_of(effective, job, {task}, false, false));
}

}  // namespace

std::vector<Unit> make_job_units(const EffectiveSettings& effective, JobId job, const InFlight& in_flight) {
  std::vector<Unit> units;
  add_job(effective, job, in_flight, units);
  return units;
}

void make_plain_unit(const EffectiveSettings& effective, const PlainJob& plain, Unit& out) {
  const auto& [id, job, times, gpus] = plain;
  const TaskExtras& extras = effective.model().tasks.extras(job.first_task);
  out.job = id;
  out.tasks = UnitTasks(job.first_task, job.task_rows);
  out.whole_job = true;
  out.priority = extras.has_priority ? extras.priority : effective.priority(job);
  // A task's own start is rare. Only then does it matter whether the job is a gang.
  const Time of_job = times.started != kNoTime ? times.started : times.submitted;
  const bool own = extras.started != kNoTime && (times.started == kNoTime || !effective.is_gang(id));
  out.start = own ? extras.started : of_job;
  protect(out, effective.preemptible(job, extras));
  out.held = gpus > 0 ? gpus : kOne;
}

bool comes_before(const Model& model, const Unit& a, const Unit& b) {
  if (a.job != b.job) return model.job_name(a.job) < model.job_name(b.job);
  return &a < &b;  // units of one job are created and kept in their order
}

std::vector<Unit> units_of(const EffectiveSettings& effective, const PlannedVictim& victim) {
  std::vector<Unit> units;
  if (victim.hold != 0 || (victim.whole_job && effective.is_gang(victim.job))) {
    units.push_back(unit_of(effective, victim.job, victim.tasks, victim.whole_job, victim.hold == 0));
    units.back().hold = victim.hold;
    return units;
  }
  const bool only = victim.whole_job && victim.tasks.size() == 1;
  for (const TaskId task : victim.tasks) units.push_back(unit_of(effective, victim.job, {task}, only, false));
  return units;
}

std::vector<NodeId> nodes_of(const Model& model, const InFlight& in_flight, const Unit& unit) {
  std::vector<NodeId> nodes;
  if (unit.hold != 0) nodes = in_flight.nodes_blocked_for(unit.hold);
  for (const TaskId task : unit.tasks) nodes.push_back(model.tasks.core(task).node);
  return nodes;
}

Total gpus_or_nodes(const Model& model, const Unit& unit) {
  if (unit.held >= 0) return unit.held;
  const std::uint32_t gpu = model.find_resource("gpu");
  Total held = 0;
  if (gpu != ResourceId::kNoValue) {
    for (const TaskId task : unit.tasks)
      held += amount_of(model.shape(model.tasks.core(task).resources), gpu);
  }
  if (held > 0) return held;
  if (unit.tasks.size() == 1) return kOne;
  std::set<std::uint32_t> nodes;
  for (const TaskId task : unit.tasks) nodes.insert(model.tasks.core(task).node.value);
  return static_cast<Total>(nodes.size()) * kOne;
}

}  // namespace cede
