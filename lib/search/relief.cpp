// SPDX-License-Identifier: MIT
#include "search/relief.h"

#include <algorithm>

#include "search/choose_victims.h"
#include "search/decide.h"
#include "search/triggers.h"

namespace cede {

namespace {

using Excesses = std::vector<ReliefNeeds::Excess>;

// Whether some resource is over by less in `now` than before.
bool is_less(const Excesses& now, const Excesses& before) {
  return std::any_of(before.begin(), before.end(), [&](const ReliefNeeds::Excess& each) {
    return std::none_of(now.begin(), now.end(), [&](const ReliefNeeds::Excess& left) {
      return left.resource == each.resource && left.over >= each.over;
    });
  });
}

}  // namespace

void PartialRelief::remove(const Unit& unit) {
  for (const TaskId task : unit.tasks) space_.release(task);
}

void PartialRelief::put_back(const Unit& unit) {
  for (const TaskId task : unit.tasks) space_.take(task);
}

bool PartialRelief::is_allowed(const Unit& newest) {
  for (std::size_t i = 0; i < caps_.size(); ++i) {
    std::string why;
    if (!caps_[i].breaks(chosen_, &why)) continue;
    kept_.push_back({&newest, caps_[i].name(), std::move(why)});
    return false;
  }
  return true;
}

void PartialRelief::add(const Unit& unit) {
  // An elastic job as a whole replaces its single tasks. Single tasks add nothing to the whole.
  std::vector<const Unit*> replaced;
  for (const Unit* other : chosen_) {
    if (other->job != unit.job) continue;
    if (other->whole_elastic) return;
    if (unit.whole_elastic) replaced.push_back(other);
  }
  const std::vector<const Unit*> before = replaced.empty() ? std::vector<const Unit*>{} : chosen_;
  for (const Unit* other : replaced) {
    put_back(*other);
    std::erase(chosen_, other);
  }
  remove(unit);
  chosen_.push_back(&unit);
  Excesses over = needs_.excesses(space_);
  if (is_less(over, over_) && is_allowed(unit)) {
    over_ = std::move(over);
    return;
  }
  chosen_.pop_back();
  put_back(unit);
  for (const Unit* other : replaced) remove(*other);
  if (!replaced.empty()) chosen_ = before;
}

bool PartialRelief::give_back() {
  const std::vector<const Unit*> all = chosen_;
  for (auto unit = all.rbegin(); unit != all.rend(); ++unit) {
    put_back(**unit);
    if (is_less(over_, needs_.excesses(space_))) {
      remove(**unit);
    } else {
      std::erase(chosen_, *unit);
    }
  }
  return chosen_.size() < all.size();
}

// A unit that is given back may let another unit pass a cap. The loop ends because each further round lowers
// some excess.
void PartialRelief::take(std::span<const Unit* const> order) {
  do {
    kept_.clear();
    for (const Unit* unit : order) {
      if (std::find(chosen_.begin(), chosen_.end(), unit) == chosen_.end()) add(*unit);
    }
  } while (give_back());
}

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
