// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/needs.h"
#include "search/plan_builder.h"

namespace cede {

// All running units in the order people are shown.
std::vector<const Unit*> units_in_order(const DecisionContext& context);

// The units that no rule excludes and that serve the needs. The plan gets why the others are not among them,
// unless there are so many that this is left to tell_units().
std::vector<const Unit*> eligible_units(const DecisionContext& context, const Needs& needs,
                                        const Space& space, PlanBuilder& builder);
// The same with all reasons, however many units there are.
std::vector<const Unit*> explained_eligible_units(const DecisionContext& context, const Needs& needs,
                                                  const Space& space, PlanBuilder& builder);

}  // namespace cede
