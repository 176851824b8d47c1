// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include "search/plan_builder.h"

namespace cede {

Plan decide(const DecisionInput& input, const Question& question) {
  DecisionContext context(input, question);
  PlanBuilder builder(context);
  if (context.request.is_claim()) return builder.finish(decide_claim(context, builder));
  if (context.request.is_relief()) return builder.finish(decide_relief(context, builder));
  return builder.finish(decide_job(context, builder));
}

void tell_units(Plan& plan) {
  if (plan.units_told) return;
  Question question;
  question.job = plan.subject.job;
  question.now = plan.now;
  question.protect = plan.protect;
  question.avoid = plan.avoid;
  question.allowance = plan.allowance;
  const DecisionInput input{plan.snapshot, plan.policies, plan.in_flight};
  DecisionContext context(input, question);
  explain_units(context, plan);
}

}  // namespace cede
