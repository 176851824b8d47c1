// SPDX-License-Identifier: MIT
// Without any single victim, some need is not met.
#include <algorithm>

#include "verify/plan_checks.h"
#include "verify/relief.h"
#include "verify/trial.h"

namespace cede::plan_check {

namespace {

// If victims must be on the nodes of the placement, but victims for resources of the group may be elsewhere,
// another placement may not be allowed. Such requests are not judged here.
bool hinges_on_one_node(const PlanFacts& facts) {
  const bool one_node = facts.is(Profile::fair_share) ||
                        (facts.is(Profile::guarantee) && !facts.flag(Setting::cross_node, facts.queue()));
  return one_node && std::any_of(facts.asked().begin(), facts.asked().end(), [&](const auto& asked) {
           return asked.second > 0 && facts.counted_by_group(asked.first);
         });
}

// Without any single victim, the target of relief, even of partial relief, would be further over its limit.
std::string relief_is_minimal(const PlanFacts& facts) {
  const PlanFacts::Amounts held = held_by_target(facts);
  const PlanFacts::Amounts over = over_limit(facts, held);
  for (const VictimUnit& unit : facts.units()) {
    PlanFacts::Amounts with = held;
    for (const TaskId task : unit.tasks) {
      if (!is_of_target(facts, task)) continue;
      for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task).resources))
        with[entry.resource] += entry.amount;
    }
    if (over_limit(facts, with) == over) return facts.job_name(unit.job) + " need not give way";
  }
  return {};
}

}  // namespace

std::string minimal(const PlanFacts& facts) {
  if (facts.plan.outcome != Outcome::preempt || facts.subject.is_claim()) return {};
  if (facts.subject.is_relief()) return relief_is_minimal(facts);
  if (!Trial::can_judge(facts) || hinges_on_one_node(facts)) return {};
  Trial trial(facts, facts.gone());
  for (const VictimUnit& unit : facts.units()) {
    if (trial.fits(facts.gone().without(unit.tasks))) return facts.job_name(unit.job) + " need not give way";
  }
  return {};
}

}  // namespace cede::plan_check
