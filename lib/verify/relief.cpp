// SPDX-License-Identifier: MIT
// The order in which relief of an overcommitted node drops rules.
#include <algorithm>
#include <set>

#include "verify/eligibility.h"
#include "verify/plan_checks.h"
#include "verify/triggers.h"

namespace cede {

namespace {

// The first step at which the caps allow the plan's victims.
int step_of_caps(const PlanFacts& facts) {
  if (!below_guarantee_fault(facts).empty()) return kGuaranteesStep;
  if (!max_victims_fault(facts).empty()) return kMaxVictimsStep;
  return budget_fault(facts).empty() ? 0 : kStormLimitsStep;
}

// The plan with all units of the node as victims that may be taken up to this rank.
Plan with_all_up_to(const PlanFacts& facts, int rank) {
  Plan plan = facts.plan;
  plan.victims.clear();
  const EligibilityTerms terms(facts);
  std::set<JobId> jobs;
  for (TaskId t = facts.model.nodes[facts.subject.node].first_task; t;
       t = facts.model.tasks.core(t).next_on_node)
    jobs.insert(facts.model.tasks.core(t).job);
  for (const JobId job : jobs) {
    std::set<TaskId> tasks;
    const JobUnits units(facts.effective, job, *facts.plan.in_flight);
    for (const VictimUnit& unit : units.units) {
      // Holds are left out: the check needs only a set that is certain to be allowed.
      const bool here = std::any_of(unit.tasks.begin(), unit.tasks.end(),
                                    [&](TaskId task) { return is_of_target(facts, task); });
      if (here && unit.hold == 0 && relief_rank(terms, unit) <= rank)
        tasks.insert(unit.tasks.begin(), unit.tasks.end());
    }
    if (tasks.empty()) continue;
    PlannedVictim& victim = plan.victims.emplace_back();
    victim.job = job;
    victim.tasks.assign(tasks.begin(), tasks.end());
    victim.whole_job = tasks.size() == facts.placed_tasks(job).size();
  }
  return plan;
}

}  // namespace

// No rule is dropped before it must be: with all units that an earlier step allows gone, the node is still
// over its capacity or a cap of that step is broken.
std::string plan_check::relief_order(const PlanFacts& facts) {
  if (facts.subject.purpose != Purpose::relief_node || facts.plan.outcome != Outcome::preempt ||
      facts.plan.partial)
    return {};
  const EligibilityTerms terms(facts);
  int used = step_of_caps(facts);
  bool takes_bound = false;  // beside units that are not, at the last step
  for (const VictimUnit& unit : facts.units()) {
    const int rank = relief_rank(terms, unit);
    takes_bound =
        rank / kReliefTiers > used ? rank % kReliefTiers > 0 : takes_bound || rank == used * kReliefTiers + 1;
    used = std::max(used, rank / kReliefTiers);
  }
  for (int step = 0; step < used + (takes_bound ? 1 : 0); ++step) {
    const Plan plan = with_all_up_to(facts, step * kReliefTiers + (step < used ? 1 : 0));
    if (plan.victims.empty()) continue;
    const PlanFacts other(plan, facts.effective.policies(), facts.effective.policy(), &facts.usage);
    if (!over_limit(other, held_by_target(other)).empty() || step_of_caps(other) > step) continue;
    if (step == used) return "tasks bound to the node leave, and others are enough";
    return "rules were dropped up to step " + std::to_string(used) + ", step " + std::to_string(step) +
           " is enough";
  }
  return {};
}

}  // namespace cede
