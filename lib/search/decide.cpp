// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include "search/plan_builder.h"

namespace cede {

Plan decide(const DecisionInput& input, const Query& query) {
  DecisionContext context(input, query);
  PlanBuilder builder(context);
  if (context.request.is_claim()) return builder.finish(decide_claim(context, builder));
  if (context.request.is_relief()) return builder.finish(decide_relief(context, builder));
  return builder.finish(decide_job(context, builder));
}

void explain_units(Plan& plan) {
  if (plan.units_explained) return;
  Query query;
  query.job = plan.subject.job;
  query.now = plan.now;
  query.protect = plan.protect;
  query.avoid = plan.avoid;
  query.allowance = plan.allowance;
  const DecisionInput input{plan.snapshot, plan.policies, plan.in_flight};
  DecisionContext context(input, query);
  explain_units(context, plan);
}

}  // namespace cede
