// SPDX-License-Identifier: MIT
#include "verify/victim_unit.h"

#include <algorithm>
#include <set>

namespace cede {

VictimUnit unit_of(const EffectiveSettings& effective, JobId job, std::span<const TaskId> tasks, bool gang) {
  VictimUnit unit;
  unit.job = job;
  unit.tasks = tasks;
  unit.priority = effective.task_priority(tasks.front());
  unit.start = effective.task_start(tasks.front());
  bool last_resort = false;
  for (const TaskId task : tasks) {
    unit.priority = std::max(unit.priority, effective.task_priority(task));
    unit.start = std::min(unit.start, effective.task_start(task));
    const Preemptible wish = effective.preemptible(task);
    if (wish == Preemptible::no) unit.preemptible = false;
    if (wish == Preemptible::last_resort) last_resort = true;
  }
  const Time started = effective.model().job_times[job.value].started;
  if (gang && started != kNoTime) unit.start = started;
  unit.last_resort = last_resort && unit.preemptible;
  return unit;
}

void add_units(const EffectiveSettings& effective, const PlannedVictim& victim, std::size_t placed,
               std::vector<VictimUnit>& out) {
  if (victim.hold != 0 || (victim.whole_job && effective.is_gang(victim.job))) {
    out.push_back(unit_of(effective, victim.job, victim.tasks, victim.hold == 0));
    out.back().hold = victim.hold;
    out.back().whole_job = victim.hold == 0;
    return;
  }
  for (std::size_t i = 0; i < victim.tasks.size(); ++i) {
    out.push_back(unit_of(effective, victim.job, std::span(victim.tasks).subspan(i, 1), false));
    out.back().whole_job = placed == 1;
  }
}

JobUnits::JobUnits(const EffectiveSettings& effective, JobId job, const InFlight& in_flight) {
  const Model& model = effective.model();
  const JobCore& core = model.jobs[job];
  const InFlight::Hold* hold = in_flight.hold(job);
  if (hold) {
    units.push_back(unit_of(effective, job, hold->tasks, false));
    units.back().hold = hold->entry;
  }
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const TaskId task{core.first_task.value + k};
    const bool held = hold && std::find(hold->tasks.begin(), hold->tasks.end(), task) != hold->tasks.end();
    if (model.tasks.core(task).node && !held) placed.push_back(task);
  }
  if (placed.empty()) return;
  if (!effective.is_gang(job)) {
    for (std::size_t i = 0; i < placed.size(); ++i) {
      units.push_back(unit_of(effective, job, std::span(placed).subspan(i, 1), false));
      units.back().whole_job = placed.size() == 1;
    }
    return;
  }
  units.push_back(unit_of(effective, job, placed, true));
  units.back().whole_job = true;
  const std::uint32_t least = model.job_extras[job.value].min_tasks;
  if (least == 0 || placed.size() <= least) return;
  units.back().whole_elastic = true;
  std::vector<std::size_t> newest;  // indexes into `placed`
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (!model.tasks.extras(placed[i]).originator) newest.push_back(i);
  }
  std::sort(newest.begin(), newest.end(), [&](std::size_t a, std::size_t b) {
    const Time of_a = effective.task_start(placed[a]);
    const Time of_b = effective.task_start(placed[b]);
    return of_a != of_b ? of_a > of_b : a > b;
  });
  newest.resize(std::min(newest.size(), placed.size() - least));
  for (const std::size_t i : newest)
    units.push_back(unit_of(effective, job, std::span(placed).subspan(i, 1), false));
}

Time running_since(const Model& model, const VictimUnit& unit) {
  const Time resumed = model.job_spells[unit.job.value].resumed;
  return resumed != kNoTime ? resumed : unit.start;
}

Total gpus_or_nodes_of(const Model& model, std::uint32_t gpu, std::span<const TaskId> tasks) {
  Total gpus = 0;
  std::set<NodeId> nodes;
  for (const TaskId task : tasks) {
    const TaskCore& core = model.tasks.core(task);
    if (gpu != ResourceId::kNoValue) gpus += amount_of(model.shape(core.resources), gpu);
    nodes.insert(core.node);
  }
  return gpus > 0 ? gpus : static_cast<Total>(nodes.size()) * kOne;
}

}  // namespace cede
