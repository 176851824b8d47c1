// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/victim_problem.h"

namespace cede {

// The tier of a unit; last resort comes after all others.
int tier_of(const DecisionContext& context, const Unit& unit);

// The best set of the candidates. `without_cap`: this cap need not be kept; the search looks for the set that
// exceeds it least.
SearchResult search_candidates(DecisionContext& context, const VictimProblem& problem,
                               const std::vector<const Unit*>& candidates,
                               std::size_t without_cap = kEveryCap);

// The best set of the eligible units; there must be at least one. The units of a later tier become candidates
// only if the earlier tiers provably have no set.
SearchResult search_tiers(DecisionContext& context, const VictimProblem& problem,
                          const std::vector<const Unit*>& eligible);

}  // namespace cede
