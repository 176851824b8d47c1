// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include <algorithm>

#include "search/choose_victims.h"
#include "search/eligible_units.h"
#include "search/partial_relief.h"
#include "search/tiers.h"
#include "search/triggers.h"

namespace cede {

namespace {

// The target under the name that ledger entries use.
std::string target_name(const DecisionContext& context) {
  const Model& model = context.model;
  const Request& request = context.request;
  switch (request.purpose) {
    case Purpose::relief_node: return "node:" + std::string(model.name(model.nodes[request.node].name));
    case Purpose::relief_job: return "job:" + std::string(model.job_name(request.job));
    default: return "queue:" + std::string(model.name(model.queues[request.queue].name));
  }
}

bool is_in_progress(const DecisionContext& context) {
  const auto& relief = context.rule_context.in_flight.relief;
  return std::find(relief.begin(), relief.end(), std::pair(target_name(context), context.request.group)) !=
         relief.end();
}

// The units by tier, and in each tier by objective value.
std::vector<const Unit*> by_tier_and_objective(const DecisionContext& context, const Objective& objective,
                                               const std::vector<const Unit*>& units) {
  struct Ranked {
    int tier;
    ObjectiveValue objective_value;
    const Unit* unit;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(units.size());
  for (const Unit* unit : units)
    ranked.push_back({tier_of(context, *unit), objective.objective_value({&unit, 1}, {}), unit});
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.tier != b.tier ? a.tier < b.tier : compare(a.objective_value, b.objective_value) < 0;
  });
  std::vector<const Unit*> out;
  out.reserve(ranked.size());
  for (const Ranked& each : ranked) out.push_back(each.unit);
  return out;
}

// No set is enough; `no` says why. Takes every unit that brings the target down, in the order of the
// objective, as long as no cap breaks.
Verdict relieve_partly(DecisionContext& context, const VictimProblem& problem, const ReliefNeeds& needs,
                       std::vector<const Unit*> eligible, Verdict no, PlanBuilder& builder) {
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  PartialRelief relief(space, needs, problem.caps);
  relief.take(by_tier_and_objective(context, problem.objective, eligible));
  const std::vector<const Unit*>& victims = relief.chosen();
  if (victims.empty()) return no;
  builder.forget_not_needed();
  std::erase_if(eligible, [&](const Unit* unit) {
    const auto why = std::find_if(relief.kept().begin(), relief.kept().end(),
                                  [&](const PartialRelief::Kept& each) { return each.unit == unit; });
    if (why == relief.kept().end()) return false;
    builder.exclude(*unit, why->cap, why->why);
    return true;
  });
  builder.list_not_needed(eligible, victims);
  const std::string over = needs.over(space);
  builder.take_partly(victims, problem.objective, !over.empty());
  Verdict verdict = builder.preempt();
  if (!over.empty()) verdict.reason += "; it is still " + over + " over";
  return verdict;
}

}  // namespace

Verdict decide_relief(DecisionContext& context, PlanBuilder& builder) {
  // The victims of an earlier decision are still in the model. No other unit has to leave because of them.
  if (is_in_progress(context)) {
    return {Outcome::in_progress, "in-progress",
            "an earlier decision to relieve " + relief_target(context) + " is not finished yet"};
  }
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  const ReliefNeeds needs(context.rule_context);
  if (needs.are_met(space, {})) {
    builder.serve_now();
    return {Outcome::fits, "fits", relief_target(context) + " is within its limits; nobody has to give way"};
  }
  if (!context.effective.preemption_on(context.request.queue))
    return Verdict::wait("off", "preemption is switched off for " + relief_target(context));
  builder.count_units();
  if (std::optional<Verdict> refused = refused_by_profile(context)) return std::move(*refused);
  if (std::optional<Verdict> refused = refused_by_budget(context)) return std::move(*refused);
  if (context.query.triggers_only) return {Outcome::preempt, {}, "somebody has to give way"};
  const std::vector<const Unit*> eligible = eligible_units(context, needs, space, builder);
  const Objective objective(context.rule_context);
  const RuleList<Cap> kept = caps(context.rule_context);
  const VictimProblem problem{needs, nullptr, space, OneNode::anywhere, objective, kept};
  Verdict whole = choose_victims(context, problem, eligible, builder);
  if (!context.query.partial || whole.outcome == Outcome::preempt) return whole;
  return relieve_partly(context, problem, needs, eligible, std::move(whole), builder);
}

}  // namespace cede
