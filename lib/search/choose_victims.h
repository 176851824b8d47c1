// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/needs.h"
#include "search/plan_builder.h"
#include "search/victim_problem.h"
#include "search/victim_search.h"

namespace cede {

// All running units in display order.
std::vector<const Unit*> units_in_order(const DecisionContext& context);

// The units that no rule excludes and that serve the needs. The plan gets the reasons for the others, unless
// there are so many that explain_units() does that later.
std::vector<const Unit*> eligible_units(const DecisionContext& context, const Needs& needs,
                                        const Space& space, PlanBuilder& builder);
// The same, always with all reasons.
std::vector<const Unit*> explained_eligible_units(const DecisionContext& context, const Needs& needs,
                                                  const Space& space, PlanBuilder& builder);

// The level at which one domain must hold all tasks, the nearest one of several; kNowhere: none.
std::uint32_t single_domain_level(const NodeAttributes& attributes, const Requirement& require);

// Splits a request into subproblems: the nodes for one task, the domains if all tasks must be in one, else
// the whole group. A unit belongs to a subproblem if it has a task there, or if it makes room in a queue or
// in a resource that the group counts. `few`: up to so many candidates are searched as one subproblem.
// `one_node`: where the victims that make space must be.
std::vector<Subproblem> split_into_subproblems(const RuleContext& rule_context, const Placer& placer,
                                               const Space& space, const std::vector<const Unit*>& candidates,
                                               std::size_t few, OneNode one_node);

// The tier of a unit; last resort comes after all others.
int tier_of(const DecisionContext& context, const Unit& unit);

// The best set of the candidates. `without_cap`: this cap need not be kept; the search looks for the set that
// exceeds it least.
SearchResult search_candidates(DecisionContext& context, const VictimProblem& problem,
                               const std::vector<const Unit*>& candidates,
                               std::size_t without_cap = kEveryCap);

// The best set of the eligible units; there must be at least one. The units of a later tier become candidates
// only if the earlier tiers provably have no set. `at_home`: the same problem on the nodes that are left if a
// victim binds the request to its home (Reclaim); null if no unit does.
SearchResult search_tiers(DecisionContext& context, const VictimProblem& problem,
                          const std::vector<const Unit*>& eligible, const VictimProblem* at_home = nullptr);

// Answers from the caches if they can be brought up to date for this kind of request; nullopt otherwise. The
// plan gets the set.
std::optional<Verdict> cached_victims(DecisionContext& context, const VictimProblem& problem,
                                      PlanBuilder& builder);

// Searches for the best set of the eligible units. The plan gets the set. If there is none, the verdict says
// why. `at_home`: see search_tiers().
Verdict choose_victims(DecisionContext& context, const VictimProblem& problem,
                       const std::vector<const Unit*>& eligible, PlanBuilder& builder,
                       const VictimProblem* at_home = nullptr);

}  // namespace cede
