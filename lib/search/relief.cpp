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

// A unit and its rank: units of a lower rank are taken first.
struct Candidate {
  const Unit* unit;
  int rank;
};

// The units by rank, and in each rank by objective value.
std::vector<const Unit*> by_rank_and_objective(const Objective& objective,
                                               const std::vector<Candidate>& candidates) {
  struct Ranked {
    int rank;
    ObjectiveValue objective_value;
    const Unit* unit;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(candidates.size());
  for (const Candidate& each : candidates)
    ranked.push_back({each.rank, objective.objective_value({&each.unit, 1}, {}), each.unit});
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank < b.rank : compare(a.objective_value, b.objective_value) < 0;
  });
  std::vector<const Unit*> out;
  out.reserve(ranked.size());
  for (const Ranked& each : ranked) out.push_back(each.unit);
  return out;
}

std::vector<const Unit*> units_of(const std::vector<Candidate>& candidates) {
  std::vector<const Unit*> out;
  for (const Candidate& each : candidates) out.push_back(each.unit);
  return out;
}

// No set is enough; `no` says why. Takes every unit that brings the target down, in the order of the
// objective, as long as no cap breaks.
Verdict relieve_partly(DecisionContext& context, const VictimProblem& problem, const ReliefNeeds& needs,
                       const std::vector<Candidate>& candidates, Verdict no, PlanBuilder& builder) {
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  PartialRelief relief(space, needs, problem.caps);
  relief.take(by_rank_and_objective(problem.objective, candidates));
  const std::vector<const Unit*>& victims = relief.chosen();
  if (victims.empty()) return no;
  builder.forget_not_needed();
  std::vector<const Unit*> eligible = units_of(candidates);
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

// Relief of a node: rules are dropped step by step until a set is found. Units that cannot be taken at any
// step are sensitive, held, named by the caller or switched off. A job that holds its place is a candidate in
// every state.
class NodeRelief {
 public:
  NodeRelief(DecisionContext& context, const ReliefNeeds& needs, Space& space, PlanBuilder& builder)
      : context_(context), needs_(needs), space_(space), builder_(builder), objective_(context.rule_context) {
    list_candidates();
  }

  Verdict decide() {
    if (ranked_.empty()) return choose_victims(context_, problem(last_caps_), {}, builder_);
    SearchResult found = search();
    if (found.best) return take(std::move(found));
    const std::vector<const Unit*> eligible = units_of(ranked_);
    builder_.list_not_needed(eligible, {});
    Verdict no = explain_no(context_, problem(last_caps_), found, eligible);
    if (!context_.query.partial) return no;
    return relieve_partly(context_, problem(last_caps_), needs_, ranked_, std::move(no), builder_);
  }

 private:
  // Why a unit is not taken before its step.
  struct Spared {
    const Unit* unit;
    int rank;
    std::string_view rule;
    std::string why;
  };
  static constexpr int kTiers = 4;  // more than a profile has
  static constexpr int kSteps = static_cast<int>(ReliefStep::never);

  VictimProblem problem(const RuleList<Cap>& caps) const {
    return {needs_, nullptr, space_, OneNode::anywhere, objective_, caps};
  }

  void list_candidates() {
    const RuleList<EligibilityRule> rules = eligibility_rules(context_.rule_context);
    for (const Unit* unit : units_in_order(context_)) {
      std::string_view rule;
      std::string why;
      const ReliefStep step = relief_step(rules, *unit, rule, why);
      if (step == ReliefStep::never) {
        builder_.exclude(*unit, rule, std::move(why));
      } else if (!needs_.serves(*unit, space_)) {
        builder_.exclude(*unit, "frees-nothing", "nothing it holds is of use to the request");
      } else {
        // The profile's tiers count as long as every rule holds. Later, units that are equal but for being
        // bound to the node go last, because they come straight back.
        const bool bound = step > ReliefStep::required_node && is_bound_to_node(context_.model, *unit);
        const int tier = step == ReliefStep::every_rule ? context_.profile.tier(context_.rule_context, *unit)
                                                        : static_cast<int>(bound);
        ranked_.push_back({unit, static_cast<int>(step) * kTiers + tier});
        if (rule.empty() && unit->last_resort) rule = "last-resort";
        if (rule.empty() && step == ReliefStep::required_node) rule = "required-node";
        if (!rule.empty()) spared_.push_back({unit, ranked_.back().rank, rule, std::move(why)});
      }
    }
    builder_.exclude_leaving();
  }

  // Each rank only if no set was found before. A search that is not certain that there is none does not keep
  // the node from its relief; the plan is then not proven.
  SearchResult search() {
    SearchResult found;
    bool certain = true;
    std::size_t tried = 0;
    std::size_t kept = SIZE_MAX;  // caps that can forbid anything
    for (rank_ = 0; rank_ < kSteps * kTiers && !found.best; ++rank_) {
      std::vector<const Unit*> candidates;
      for (const Candidate& each : ranked_) {
        if (each.rank <= rank_) candidates.push_back(each.unit);
      }
      const RuleList<Cap> caps = caps_at(context_.rule_context, static_cast<ReliefStep>(rank_ / kTiers));
      const auto breakable = static_cast<std::size_t>(
          std::count_if(caps.begin(), caps.end(), [](const auto& cap) { return cap->may_break(); }));
      if (candidates.empty() || (candidates.size() == tried && breakable == kept)) continue;
      tried = candidates.size();
      kept = breakable;
      const WorkShare share(context_.work, context_.work.left() / 2);
      found = search_candidates(context_, problem(caps), candidates);
      certain = certain && found.proven;
    }
    --rank_;
    found.proven = certain;
    return found;
  }

  Verdict take(SearchResult found) {
    std::vector<const Unit*> eligible;
    for (const Candidate& each : ranked_) {
      if (each.rank <= rank_) eligible.push_back(each.unit);
    }
    for (Spared& each : spared_) {
      if (each.rank > rank_) builder_.exclude(*each.unit, each.rule, std::move(each.why));
    }
    builder_.take(std::move(found), eligible, nullptr);
    Verdict verdict = builder_.preempt();
    const auto step = static_cast<std::size_t>(rank_ / kTiers);
    if (step > 0) verdict.reason += "; nothing less than that is enough: " + std::string(kReliefSteps[step]);
    return verdict;
  }

  DecisionContext& context_;
  const ReliefNeeds& needs_;
  Space& space_;
  PlanBuilder& builder_;
  const Objective objective_;
  const RuleList<Cap> last_caps_ = caps_at(context_.rule_context, ReliefStep::guarantees);
  std::vector<Candidate> ranked_;  // in display order
  std::vector<Spared> spared_;
  int rank_ = 0;  // up to which units are candidates
};

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
    return {Outcome::fits, "fits",
            relief_target(context) + " is within its limits; no job has to be preempted"};
  }
  if (!context.effective.preemption_on(context.request.queue))
    return Verdict::wait("off", "preemption is switched off for " + relief_target(context));
  if (std::optional<Verdict> refused = refused_by_grace(context)) return std::move(*refused);
  builder.count_units();
  if (std::optional<Verdict> refused = refused_by_profile(context)) return std::move(*refused);
  const bool of_node = context.request.purpose == Purpose::relief_node;  // it may drop the storm limits
  if (std::optional<Verdict> refused = of_node ? std::nullopt : refused_by_budget(context))
    return std::move(*refused);
  if (context.query.triggers_only) return {Outcome::preempt, {}, "some job has to be preempted"};
  if (of_node) return NodeRelief(context, needs, space, builder).decide();
  const std::vector<const Unit*> eligible = eligible_units(context, needs, space, builder);
  const Objective objective(context.rule_context);
  const RuleList<Cap> kept = caps(context.rule_context);
  const VictimProblem problem{needs, nullptr, space, OneNode::anywhere, objective, kept};
  Verdict whole = choose_victims(context, problem, eligible, builder);
  if (!context.query.partial || whole.outcome == Outcome::preempt) return whole;
  std::vector<Candidate> candidates;
  for (const Unit* unit : eligible) candidates.push_back({unit, tier_of(context, *unit)});
  return relieve_partly(context, problem, needs, candidates, std::move(whole), builder);
}

}  // namespace cede
