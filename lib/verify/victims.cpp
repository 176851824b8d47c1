// SPDX-License-Identifier: MIT
#include "verify/victims.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "verify/plan_checks.h"

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
  const Time resumed = model.job_state_times[unit.job.value].resumed;
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

// Whether the victims can be preempted: running tasks, each named once, in whole units.

namespace cede::plan_check {

std::string outcome(const PlanFacts& facts) {
  const Plan& plan = facts.plan;
  const bool preempts = plan.outcome == Outcome::preempt;
  if (preempts && plan.victims.empty()) return "it preempts, but names no victim";
  if (preempts && !plan.rule.empty()) return "it preempts, and names a rule that says no";
  if (!preempts && !plan.victims.empty()) return "it names victims without preempting";
  if (!preempts && plan.rule.empty()) return "no rule is named";
  if (!facts.yes() && !plan.placement.empty()) return "the answer is no, and a placement is named";
  if (plan.reason.empty()) return "no reason is given";
  return {};
}

std::string victims_run(const PlanFacts& facts) {
  const Model& model = facts.model;
  for (const PlannedVictim& victim : facts.plan.victims) {
    if (!model.jobs.is_live(victim.job)) return "a victim is not a job of this cluster";
    if (victim.tasks.empty()) return facts.job_name(victim.job) + " is a victim without a task";
    for (const TaskId task : victim.tasks) {
      if (task.value >= model.tasks.id_bound() || model.tasks.core(task).job != victim.job)
        return facts.job_name(victim.job) + " names a task of another job";
      if (!model.tasks.core(task).node) return facts.job_name(victim.job) + " names a task that waits";
    }
  }
  return {};
}

// A job and its own hold may both be victims.
std::string victims_once(const PlanFacts& facts) {
  std::vector<JobId> jobs;
  std::size_t tasks = 0;
  for (const PlannedVictim& victim : facts.plan.victims) {
    if (victim.hold == 0) jobs.push_back(victim.job);
    tasks += victim.tasks.size();
  }
  std::sort(jobs.begin(), jobs.end());
  const auto twice = std::adjacent_find(jobs.begin(), jobs.end());
  if (twice != jobs.end()) return facts.job_name(*twice) + " is listed twice";
  return tasks == facts.gone().size() ? std::string{} : "a task is listed twice";
}

namespace {

// A hold is taken as a whole.
std::string hold_fault(const PlanFacts& facts, const PlannedVictim& victim) {
  const InFlight::Hold* const hold = facts.plan.in_flight->hold_of(victim.hold);
  if (!hold) return "entry " + std::to_string(victim.hold) + " holds nothing";
  if (hold->job != victim.job || hold->tasks != victim.tasks)
    return "the hold of entry " + std::to_string(victim.hold) + " is taken in part";
  return {};
}

// At least `min_tasks` of an elastic job stay, and its newest tasks leave.
std::string elastic_fault(const PlanFacts& facts, const PlannedVictim& victim,
                          const std::vector<TaskId>& placed) {
  const std::uint32_t least = facts.model.job_extras[victim.job.value].min_tasks;
  const std::size_t stays = placed.size() - victim.tasks.size();
  if (least == 0) return facts.job_name(victim.job) + " is a gang and loses only a part";
  if (stays < least)
    return facts.job_name(victim.job) + " would keep " + std::to_string(stays) + " tasks of at least " +
           std::to_string(least);
  for (const TaskId task : victim.tasks) {
    if (facts.model.tasks.extras(task).originator) return facts.job_name(victim.job) + " loses an originator";
    const Time own = facts.effective.task_start(task);
    const auto newer = std::count_if(placed.begin(), placed.end(), [&](TaskId other) {
      const Time other_start = facts.effective.task_start(other);
      return !facts.model.tasks.extras(other).originator &&
             (other_start > own || (other_start == own && other > task));
    });
    if (static_cast<std::size_t>(newer) >= placed.size() - least)
      return facts.job_name(victim.job) + " loses a task that is not among its newest";
  }
  return {};
}

}  // namespace

std::string units(const PlanFacts& facts) {
  for (const PlannedVictim& victim : facts.plan.victims) {
    std::string found;
    if (victim.hold != 0) {
      found = hold_fault(facts, victim);
    } else {
      const std::vector<TaskId> placed = facts.placed_tasks(victim.job);
      const bool whole = victim.tasks.size() == placed.size();
      if (whole != victim.whole_job) return facts.job_name(victim.job) + " is wrong about whole_job";
      if (!whole && facts.effective.is_gang(victim.job)) found = elastic_fault(facts, victim, placed);
    }
    if (!found.empty()) return found;
  }
  return {};
}

// Every job in `after` has victims on their way out that leave surplus room, or a hold that is taken. The
// space checks ensure that the plan uses no other space in flight.
std::string after(const PlanFacts& facts) {
  const InFlight& known = *facts.plan.in_flight;
  std::set<JobId> jobs;
  for (const JobId job : facts.plan.after) {
    if (!facts.model.jobs.is_live(job)) return "a job it comes after is not in the cluster";
    if (!jobs.insert(job).second) return facts.job_name(job) + " is listed twice";
    const InFlight::Hold* hold = known.hold(job);
    if (known.lent_by(job) || (hold && facts.takes_hold_of(hold->entry))) continue;
    return "the victims of " + facts.job_name(job) + " leave nothing";
  }
  return {};
}

}  // namespace cede::plan_check
