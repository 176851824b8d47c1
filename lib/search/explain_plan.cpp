// SPDX-License-Identifier: MIT
#include "search/explain_plan.h"

#include <algorithm>

#include "policy/unit.h"
#include "search/decide.h"
#include "search/nearest_miss.h"

namespace cede {

namespace {

// The query that the plan answers. A batch plan keeps the state that it saw, so this holds for it, too.
Query query_of(const Plan& plan) {
  Query query;
  query.purpose = plan.subject.purpose;
  query.job = plan.subject.job;
  query.node = plan.subject.node;
  query.queue = plan.subject.queue;
  query.group = plan.subject.group;
  query.claimed = plan.subject.claimed;
  query.now = plan.now;
  query.protect = plan.protect;
  query.avoid = plan.avoid;
  query.allowance = plan.allowance;
  return query;
}

VictimFacts facts_of(const EffectiveSettings& effective, Time now, const PlannedVictim& victim) {
  const Model& model = effective.model();
  const std::uint32_t gpu = model.find_resource("gpu");
  VictimFacts facts;
  for (const TaskId task : victim.tasks)
    facts.gpus +=
        gpu == ResourceId::kNoValue ? 0 : amount_of(model.shape(model.tasks.core(task).resources), gpu);
  if (victim.hold != 0) return facts;
  for (const Unit& unit : units_of(effective, victim)) {
    const Time since = effective.running_since(unit);
    facts.since = facts.since == kNoTime ? since : std::min(facts.since, since);
    facts.lost_work += lost_work(effective, now, unit);
  }
  return facts;
}

}  // namespace

void explain_plan(Plan& plan) {
  const Query query = query_of(plan);
  const DecisionInput input{plan.snapshot, plan.policies, plan.in_flight};
  DecisionContext context(input, query);
  if (!plan.units_explained) explain_units(context, plan);
  plan.victim_facts.clear();
  for (const PlannedVictim& victim : plan.victims)
    plan.victim_facts.push_back(facts_of(context.effective, plan.now, victim));
  plan.nearest_miss = find_nearest_miss(context, plan);
}

}  // namespace cede
