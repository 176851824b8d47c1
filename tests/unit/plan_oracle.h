// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "placement/usable_nodes.h"
#include "policy/composition.h"
#include "search/enumerator.h"
#include "search/plan_facts.h"

namespace cede {

// The best objective for a plan's request by trying every set on every place; nothing where there is none.
inline std::optional<std::vector<Criterion>> oracle_of(const Plan& plan, const PolicySet& policies) {
  const PlanFacts facts(plan, policies, policies.policies.front());
  Space space(facts.rule_context);
  mark_usable(space, facts.rule_context, {}, Usable::now);
  std::vector<NodeId> usable;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space.usable(i)) usable.push_back(space.node(i).id);
  }
  const std::vector<Unit> units = make_units(facts.effective, facts.group(), *facts.plan.in_flight);
  const RuleList<EligibilityRule> rules = eligibility_rules(facts.rule_context);
  // A later tier only where the ones before do not do.
  const Composition& profile = composition(facts.effective.profile());
  std::map<int, std::vector<const Unit*>> tiers;
  for (const Unit& unit : units) {
    const bool out = std::any_of(rules.begin(), rules.end(),
                                 [&](const auto& rule) { return rule->excludes(unit, nullptr); });
    if (!out) tiers[unit.last_resort ? 9 : profile.tier(facts.rule_context, unit)].push_back(&unit);
  }
  std::vector<const Unit*> candidates;
  for (const auto& [tier, units_of_tier] : tiers) {
    candidates.insert(candidates.end(), units_of_tier.begin(), units_of_tier.end());
    if (auto best = Enumerator(plan, policies, facts.rule_context, usable).best(candidates)) return best;
  }
  return std::nullopt;
}

}  // namespace cede
