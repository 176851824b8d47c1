// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/plan_builder.h"
#include "search/victim_problem.h"

namespace cede {

// Answers from the caches if they can be brought up to date for this kind of request; nullopt otherwise. The
// plan gets the set.
std::optional<Verdict> cached_victims(DecisionContext& context, const VictimProblem& problem,
                                      PlanBuilder& builder);

// Searches for the best set of the eligible units. The plan gets the set. If there is none, the verdict says
// why.
Verdict choose_victims(DecisionContext& context, const VictimProblem& problem,
                       const std::vector<const Unit*>& eligible, PlanBuilder& builder);

}  // namespace cede
