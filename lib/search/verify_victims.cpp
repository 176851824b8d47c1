// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text.h"
#include "policy/composition.h"
#include "search/plan_facts.h"

namespace cede::plan_check {

std::string outcome(const PlanFacts& facts) {
  if (facts.plan.outcome == Outcome::preempt && facts.plan.victims.empty()) return "it preempts, but nobody";
  if (facts.plan.outcome == Outcome::preempt && !facts.plan.rule.empty())
    return "it preempts, and names a rule that says no";
  if (facts.plan.outcome != Outcome::preempt && !facts.plan.victims.empty())
    return "it names victims without preempting";
  if (facts.plan.outcome != Outcome::preempt && facts.plan.rule.empty()) return "no rule is named";
  if (!facts.yes() && !facts.plan.placement.empty()) return "the answer is no, and a placement is named";
  if (facts.plan.reason.empty()) return "no reason is given";
  return {};
}

std::string victims_run(const PlanFacts& facts) {
  for (const PlannedVictim& victim : facts.plan.victims) {
    if (!facts.model.jobs.is_live(victim.job)) return "a victim is not a job of this cluster";
    if (victim.tasks.empty()) return facts.job_name(victim.job) + " is a victim without a task";
    for (const TaskId task : victim.tasks) {
      if (task.value >= facts.model.tasks.id_bound() || facts.model.tasks.core(task).job != victim.job) {
        return facts.job_name(victim.job) + " names a task of another job";
      }
      if (!facts.model.tasks.core(task).node) return facts.job_name(victim.job) + " names a task that waits";
    }
  }
  return {};
}

std::string victims_once(const PlanFacts& facts) {
  std::set<std::uint32_t> jobs;
  std::size_t tasks = 0;
  for (const PlannedVictim& victim : facts.plan.victims) {
    if (victim.hold == 0 && !jobs.insert(victim.job.value).second)
      return facts.job_name(victim.job) + " is listed twice";
    tasks += victim.tasks.size();
  }
  return tasks == facts.gone.size() ? std::string{} : "a task is listed twice";
}

namespace {

// A hold goes as a whole.
std::string hold(const PlanFacts& facts, const PlannedVictim& victim) {
  for (const InFlight::Hold& each : facts.plan.in_flight->holds) {
    if (each.entry != victim.hold) continue;
    if (each.job != victim.job || each.tasks != victim.tasks)
      return "the hold of entry " + std::to_string(victim.hold) + " is taken in part";
    return {};
  }
  return "entry " + std::to_string(victim.hold) + " holds nothing";
}

}  // namespace

std::string units(const PlanFacts& facts) {
  for (const PlannedVictim& victim : facts.plan.victims) {
    if (victim.hold != 0) {
      if (std::string found = hold(facts, victim); !found.empty()) return found;
      continue;
    }
    const std::vector<TaskId> placed = facts.placed_tasks(victim.job);
    const bool whole = victim.tasks.size() == placed.size();
    if (whole != victim.whole_job) return facts.job_name(victim.job) + " is wrong about whole_job";
    if (whole || !facts.effective.is_gang(victim.job)) continue;
    const std::uint32_t least = facts.model.job_extras[victim.job.value].min_tasks;
    const std::size_t stays = placed.size() - victim.tasks.size();
    if (least == 0) return facts.job_name(victim.job) + " is a gang and loses only a part";
    if (stays < least)
      return facts.job_name(victim.job) + " would keep " + std::to_string(stays) + " tasks of at least " +
             std::to_string(least);
    for (const TaskId task : victim.tasks) {
      if (facts.model.tasks.extras(task).originator)
        return facts.job_name(victim.job) + " loses an originator";
      std::size_t newer = 0;
      for (const TaskId other : placed) {
        if (facts.model.tasks.extras(other).originator) continue;
        const Time theirs = facts.effective.task_start(other);
        const Time own = facts.effective.task_start(task);
        newer += theirs > own || (theirs == own && other > task) ? 1 : 0;
      }
      if (newer >= placed.size() - least)
        return facts.job_name(victim.job) + " loses a task that is not among its newest";
    }
  }
  return {};
}

std::string eligible(const PlanFacts& facts) {
  const RuleList<EligibilityRule> rules = eligibility_rules(facts.rule_context);
  for (const Unit& unit : facts.victim_units()) {
    for (const auto& rule : rules) {
      std::string why;
      if (!rule->excludes(unit, &why)) continue;
      return facts.job_name(unit.job) + " is excluded by " + std::string(rule->name()) + ": " + why;
    }
  }
  return {};
}

std::string actions(const PlanFacts& facts) {
  const Composition& profile = composition(facts.effective.profile());
  for (const PlannedVictim& victim : facts.plan.victims) {
    if (victim.hold != 0) continue;
    const WayOut right = profile.leaving(facts.effective, victim.job);
    if (victim.action != right.action || victim.requeue != right.requeue) {
      return facts.job_name(victim.job) + " leaves in another way than the policy says";
    }
  }
  return {};
}

// Who is waited for has victims on their way out that leave something, or a hold that is taken. That nothing
// is used of others' is a matter of space.
std::string after(const PlanFacts& facts) {
  const InFlight& known = *facts.plan.in_flight;
  std::set<std::uint32_t> jobs;
  for (const JobId job : facts.plan.after) {
    if (!facts.model.jobs.is_live(job)) return "a job it comes after is not in the cluster";
    if (!jobs.insert(job.value).second) return facts.job_name(job) + " is listed twice";
    const InFlight::Hold* hold = known.hold(job);
    if (known.surplus_room_of(job) || (hold && facts.takes_hold_of(hold->entry))) continue;
    return "the victims of " + facts.job_name(job) + " leave nothing";
  }
  return {};
}

}  // namespace cede::plan_check
