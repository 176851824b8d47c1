// SPDX-License-Identifier: MIT
#pragma once

#include "model/plan.h"
#include "search/victim_search.h"

namespace cede {

// Writes the chosen units into the plan: one victim per job with all its chosen tasks, how it leaves, what it
// costs, and when the space will be free.
void write_victims(const Asking& asking, const std::vector<const Unit*>& units, Plan& plan);

// What a unit costs in sum, in thousandths of the profile's unit.
std::int64_t cost_of(const Asking& asking, const Unit& unit);

}  // namespace cede
