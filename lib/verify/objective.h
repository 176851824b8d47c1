// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "verify/plan_facts.h"

namespace cede {

// How a victim must leave in this profile: its first step, what follows a checkpoint that is written, and
// what follows one that is not.
struct RequiredExit {
  VictimAction action = VictimAction::terminate;
  VictimAction after_saving = VictimAction::terminate;
  VictimAction without_saving = VictimAction::terminate;
  bool requeue = false;
};
RequiredExit required_exit(const PlanFacts& facts, JobId victim);

// How long that takes for a request of this purpose, as a rule and at the latest; kNoDuration: there is no
// latest time.
struct RequiredExitTime {
  Duration expected = 0;
  Duration latest = 0;
};
RequiredExitTime required_exit_time(const PlanFacts& facts, JobId victim, const RequiredExit& exit,
                                    Purpose purpose);

// Whether `cost_model` makes lost work the price and the first criterion after last resort.
bool counts_lost_work(const PlanFacts& facts);

// All in thousandths. A hold costs nothing: its victims are already on their way out.
std::int64_t lost_work_of(const PlanFacts& facts, const VictimUnit& unit);             // GPU-minutes
std::vector<CostPart> class_price_of(const PlanFacts& facts, const VictimUnit& unit);  // minutes, in parts
// The unit's cost as documents show it: the class price, in other profiles lost work.
std::vector<CostPart> cost_parts_of(const PlanFacts& facts, const VictimUnit& unit);
std::int64_t sum_of(const std::vector<CostPart>& parts);

// What the request is worth; nullopt: no value is given.
std::optional<std::int64_t> value_of_request(const PlanFacts& facts);

// The criteria that compare two sets of victims, for the plan's own set and placement: the criteria that
// every profile begins with, the profile's own, and the common tail as far as documents show it. Without
// `placement` the last two entries, which depend on it, are 0.
std::vector<Criterion> objective_of(const PlanFacts& facts, bool placement = true);

}  // namespace cede
