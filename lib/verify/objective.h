// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "verify/plan_facts.h"

namespace cede {

// The criteria that compare two sets of victims, for the plan's own set and placement: the criteria that
// every profile begins with, the profile's own, and the common tail as far as documents show it. Without
// `placement` the last two entries, which depend on it, are 0.
std::vector<Criterion> objective_of(const PlanFacts& facts, bool placement = true);

}  // namespace cede
