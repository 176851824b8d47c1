// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/plan_builder.h"
#include "search/victim_problem.h"

namespace cede {

// The verdict where requests of this kind were searched before and what is remembered can be brought up to
// date; nothing where it cannot. The plan gets the set.
std::optional<Verdict> recall_victims(DecisionContext& context, const VictimProblem& problem,
                                      PlanBuilder& builder);

// Searches for the best set of the eligible units. The plan gets the set; where there is none, the verdict
// says why.
Verdict choose_victims(DecisionContext& context, const VictimProblem& problem,
                       const std::vector<const Unit*>& eligible, PlanBuilder& builder);

}  // namespace cede
