// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/victim_problem.h"

namespace cede {

// When a unit's turn comes; last resort is the last of all.
int tier_of(const DecisionContext& context, const Unit& unit);

// The best set of the candidates. `without_cap`: this cap need not be kept, and the set that exceeds it least
// is looked for.
SearchResult search_candidates(DecisionContext& context, const VictimProblem& problem,
                               const std::vector<const Unit*>& candidates,
                               std::size_t without_cap = kEveryCap);

// The best set of the eligible units, of which there must be one: those of a later tier are candidates only
// when those before are a proven no.
SearchResult search_tiers(DecisionContext& context, const VictimProblem& problem,
                          const std::vector<const Unit*>& eligible);

}  // namespace cede
