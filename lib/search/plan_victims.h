// SPDX-License-Identifier: MIT
#pragma once

#include "model/plan.h"
#include "search/victim_search.h"

namespace cede {

// The units in the order of a plan: by the names of their jobs, those of one job side by side, holds last.
std::vector<const Unit*> by_name(const Model& model, const std::vector<const Unit*>& units);

// Writes the chosen units, which are in that order, into the plan: one victim per job with all its chosen
// tasks, how it leaves, what it costs, and when the space will be free.
void write_victims(const RuleContext& rule_context, const std::vector<const Unit*>& units, Plan& plan);

// What a unit costs in sum, in thousandths of the profile's unit.
std::int64_t cost_of(const RuleContext& rule_context, const Unit& unit);

}  // namespace cede
