// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include "search/job_decision.h"
#include "search/relief_decision.h"

namespace cede {

GroupId group_of(const Model& model, const Question& question) {
  switch (question.purpose) {
    case Purpose::job:
    case Purpose::relief_job: return model.jobs[question.job].group;
    case Purpose::relief_node: return model.nodes[question.node].group;
    case Purpose::relief_queue: return question.group;
    case Purpose::reclaim:
    case Purpose::sensitive_claim: break;
  }
  return model.nodes[question.claimed.front()].group;
}

namespace {

// A set that outlives the decision by itself, without anybody's counting.
std::shared_ptr<const PolicySet> borrowed(const PolicySet& policies) {
  return {std::shared_ptr<const PolicySet>{}, &policies};
}

}  // namespace

Plan decide(const std::shared_ptr<const Model>& model, const PolicySet& policies,
            const std::shared_ptr<const InFlight>& in_flight, const Question& question, const Means& means) {
  const GroupId group = group_of(*model, question);
  const Policy& policy = *policy_of(*model, model->groups[group], policies);
  const std::shared_ptr<const Ground> ground =
      means.grounds ? means.grounds->of(model, means.policies, policy, group, *in_flight, means.crew)
                    : std::make_shared<const Ground>(model, borrowed(policies), policy, group, *in_flight);
  const Outset out{model, policies, policy, in_flight, question, ground, means};
  if (question.purpose == Purpose::job) return JobDecision(out).decide();
  if (question.purpose == Purpose::reclaim || question.purpose == Purpose::sensitive_claim)
    return ClaimDecision(out).decide();
  return ReliefDecision(out).decide();
}

void tell_units(Plan& plan) {
  if (plan.units_told) return;
  Question question;
  question.job = plan.subject.job;
  question.now = plan.now;
  question.protect = plan.protect;
  question.avoid = plan.avoid;
  question.allowance = plan.allowance;
  const Model& model = plan.model();
  const GroupId group = group_of(model, question);
  const Policy& policy = *policy_of(model, model.groups[group], *plan.policies);
  const auto ground =
      std::make_shared<const Ground>(plan.snapshot, plan.policies, policy, group, *plan.in_flight);
  JobDecision({plan.snapshot, *plan.policies, policy, plan.in_flight, question, ground, {}}).tell(plan);
}

}  // namespace cede
