// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "verify/plan_facts.h"

// The checks of a plan, one per condition. Each returns what it found, or an empty text. The checks read the
// plan and the model's rows, and nothing that the search computed.
namespace cede::plan_check {

// What the plan states about itself.
std::string outcome(const PlanFacts& facts);
std::string after(const PlanFacts& facts);
std::string actions(const PlanFacts& facts);
std::string cause(const PlanFacts& facts);
std::string cost(const PlanFacts& facts);
std::string start_times(const PlanFacts& facts);

// Whether the request may preempt at all; only for a plan that preempts.
std::string triggers(const PlanFacts& facts);
// Whether no other request of the job fits without victims and comes first.
std::string free_first(const PlanFacts& facts);

// The victims, one by one.
std::string victims_run(const PlanFacts& facts);
std::string victims_once(const PlanFacts& facts);
std::string units(const PlanFacts& facts);
std::string eligible(const PlanFacts& facts);

// Needs: freeing more never breaks them.
std::string whole_request(const PlanFacts& facts);
std::string nodes(const PlanFacts& facts);
std::string node_space(const PlanFacts& facts);
std::string devices(const PlanFacts& facts);
std::string group_space(const PlanFacts& facts);
std::string queue_max(const PlanFacts& facts);
std::string job_max(const PlanFacts& facts);
std::string spread_over_nodes(const PlanFacts& facts);
std::string gpu_entries(const PlanFacts& facts);
std::string network(const PlanFacts& facts);
std::string conformance(const PlanFacts& facts);
std::string exclusivity(const PlanFacts& facts);
std::string home(const PlanFacts& facts);
std::string relieved(const PlanFacts& facts);
std::string claimed(const PlanFacts& facts);

// Caps on the whole set: taking less never breaks them.
std::string max_victims(const PlanFacts& facts);
std::string value_exceeded(const PlanFacts& facts);
std::string quota(const PlanFacts& facts);
std::string below_guarantee(const PlanFacts& facts);
std::string budget(const PlanFacts& facts);
std::string no_gain(const PlanFacts& facts);
std::string one_node(const PlanFacts& facts);
std::string relief_order(const PlanFacts& facts);

// What a no says.
std::string refusal(const PlanFacts& facts);

// The quality of the plan.
std::string objective(const PlanFacts& facts);
std::string preferences(const PlanFacts& facts);
std::string minimal(const PlanFacts& facts);

}  // namespace cede::plan_check

namespace cede {

// The caps that relief of a node may drop, one function each: empty if the cap is kept.
std::string max_victims_fault(const PlanFacts& facts);
std::string below_guarantee_fault(const PlanFacts& facts);
std::string budget_fault(const PlanFacts& facts);

// Why the job's own `max` does not admit the request, whatever the answer is; empty: it does.
std::string job_max_fault(const PlanFacts& facts);

}  // namespace cede
