// SPDX-License-Identifier: MIT
#pragma once

#include "search/decision_context.h"

namespace cede {

class PlanBuilder;

// Leads from a request to a plan: triggers, eligibility, search. The query must be valid (see Engine::plan).
// The plan keeps the model.
Plan decide(const DecisionInput& input, const Query& query);

// decide() for each kind of request.
// A job waits.
Verdict decide_job(DecisionContext& context, PlanBuilder& builder);
// Units leave so that a node is within its capacity, or a queue or job within its `max`. There is no
// requester, and nothing is placed.
Verdict decide_relief(DecisionContext& context, PlanBuilder& builder);
// A queue claims nodes. Either every job of another queue leaves them, or no job leaves and the claim fails.
Verdict decide_claim(DecisionContext& context, PlanBuilder& builder);

// For a plan about many units: works out why each unit was not taken, in the context of the plan's query,
// which must be about a job.
void explain_units(DecisionContext& context, Plan& plan);

}  // namespace cede
