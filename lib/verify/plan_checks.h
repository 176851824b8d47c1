// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "verify/plan_facts.h"

// The checks of a plan, one per condition; each says what it found, or nothing. Every one reads the plan and
// the model's rows and nothing that a search has worked out.
namespace cede::plan_check {

// What the plan says of itself.
std::string outcome(const PlanFacts& facts);
std::string after(const PlanFacts& facts);
std::string actions(const PlanFacts& facts);
std::string cost(const PlanFacts& facts);
std::string start_times(const PlanFacts& facts);

// Whether the request may preempt at all (of a plan that does).
std::string triggers(const PlanFacts& facts);

// The victims, one by one.
std::string victims_run(const PlanFacts& facts);
std::string victims_once(const PlanFacts& facts);
std::string units(const PlanFacts& facts);
std::string eligible(const PlanFacts& facts);

// Needs: kept when more is freed.
std::string whole_request(const PlanFacts& facts);
std::string nodes(const PlanFacts& facts);
std::string node_space(const PlanFacts& facts);
std::string devices(const PlanFacts& facts);
std::string group_space(const PlanFacts& facts);
std::string queue_max(const PlanFacts& facts);
std::string spread_over_nodes(const PlanFacts& facts);
std::string gpu_entries(const PlanFacts& facts);
std::string network(const PlanFacts& facts);
std::string conformance(const PlanFacts& facts);
std::string exclusivity(const PlanFacts& facts);
std::string relieved(const PlanFacts& facts);
std::string claimed(const PlanFacts& facts);

// Caps: kept when less is taken; of the whole set.
std::string max_victims(const PlanFacts& facts);
std::string value_exceeded(const PlanFacts& facts);
std::string quota(const PlanFacts& facts);
std::string below_guarantee(const PlanFacts& facts);
std::string budget(const PlanFacts& facts);
std::string no_gain(const PlanFacts& facts);
std::string one_node(const PlanFacts& facts);

// How good it is.
std::string objective(const PlanFacts& facts);
std::string preferences(const PlanFacts& facts);
std::string minimal(const PlanFacts& facts);

}  // namespace cede::plan_check
