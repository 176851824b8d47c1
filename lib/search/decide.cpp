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

Plan decide(const Model& model, const PolicySet& policies, const std::shared_ptr<const InFlight>& in_flight,
            const Question& question) {
  const Policy& policy = *policy_of(model, model.groups[group_of(model, question)], policies);
  if (question.purpose == Purpose::job)
    return JobDecision(model, policies, policy, in_flight, question).run();
  if (question.purpose == Purpose::reclaim || question.purpose == Purpose::sensitive_claim)
    return ClaimDecision(model, policies, policy, in_flight, question).run();
  return ReliefDecision(model, policies, policy, in_flight, question).run();
}

}  // namespace cede
