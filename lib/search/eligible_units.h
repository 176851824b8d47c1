// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/needs.h"
#include "search/plan_builder.h"

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

}  // namespace cede
