// SPDX-License-Identifier: MIT
#pragma once

#include "search/decision_context.h"

namespace cede {

class PlanBuilder;

// The whole way from a request to a plan: triggers, eligibility, search. The question must make sense (see
// Engine::plan). The plan keeps the model.
Plan decide(const DecisionInput& input, const Query& query);

// What decide() does for each kind of request.
// A job waits.
Verdict decide_job(DecisionContext& context, PlanBuilder& builder);
// Units leave so that a node is within its capacity, or a queue or job within its `max`. There is no
// requester, and nothing is placed.
Verdict decide_relief(DecisionContext& context, PlanBuilder& builder);
// A queue claims nodes: everybody else there leaves, or nobody does and it does not get them.
Verdict decide_claim(DecisionContext& context, PlanBuilder& builder);

// Works out, for a plan about many units, why each of them was not taken.
void tell_units(Plan& plan);
// The same in the context of the question that the plan, which is about a job, answers.
void explain_units(DecisionContext& context, Plan& plan);

}  // namespace cede
