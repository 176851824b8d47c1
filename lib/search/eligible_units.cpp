// SPDX-License-Identifier: MIT
#include "search/eligible_units.h"

#include <algorithm>

#include "policy/eligibility.h"

namespace cede {

namespace {

std::vector<const Unit*> without_reasons(const DecisionContext& context, const Needs& needs,
                                         const Space& space) {
  const std::span<const Unit* const> units = context.units();
  const Eligibility rules(context.rule_context);
  const auto is_in = [&](const Unit* unit) { return !rules.excludes(*unit) && needs.serves(*unit, space); };
  // FairShareStatus is not thread-safe.
  WorkerPool* const workers = context.fair ? nullptr : workers_for(context.input.workers, units.size());
  std::vector<std::vector<const Unit*>> pieces((units.size() + kUnitsAtOnce - 1) / kUnitsAtOnce);
  each_piece(workers, pieces.size(), [&](std::size_t piece) {
    const auto part =
        units.subspan(piece * kUnitsAtOnce, std::min(kUnitsAtOnce, units.size() - piece * kUnitsAtOnce));
    std::copy_if(part.begin(), part.end(), std::back_inserter(pieces[piece]), is_in);
  });
  std::vector<const Unit*> out;
  for (const auto& piece : pieces) out.insert(out.end(), piece.begin(), piece.end());
  return out;
}

}  // namespace

std::vector<const Unit*> units_in_order(const DecisionContext& context) {
  std::vector<const Unit*> units(context.units().begin(), context.units().end());
  std::sort(units.begin(), units.end(),
            [&](const Unit* a, const Unit* b) { return comes_before(context.model, *a, *b); });
  return units;
}

std::vector<const Unit*> eligible_units(const DecisionContext& context, const Needs& needs,
                                        const Space& space, PlanBuilder& builder) {
  if (!context.explains_units_later()) return explained_eligible_units(context, needs, space, builder);
  builder.explain_units_later();
  return without_reasons(context, needs, space);
}

std::vector<const Unit*> explained_eligible_units(const DecisionContext& context, const Needs& needs,
                                                  const Space& space, PlanBuilder& builder) {
  std::vector<const Unit*> out;
  const RuleList<EligibilityRule> rules = eligibility_rules(context.rule_context);
  for (const Unit* unit : units_in_order(context)) {
    std::string why;
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const auto& each) { return each->excludes(*unit, &why); });
    if (rule != rules.end()) {
      builder.exclude(*unit, (*rule)->name(), std::move(why));
    } else if (!needs.serves(*unit, space)) {
      builder.exclude(*unit, "frees-nothing", "nothing it holds is of use to the request");
    } else {
      out.push_back(unit);
    }
  }
  builder.exclude_leaving();
  return out;
}

}  // namespace cede
