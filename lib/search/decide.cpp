// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include "search/job_decision.h"
#include "search/relief_decision.h"

namespace cede {

Plan decide(const Model& model, const PolicySet& policies, const std::shared_ptr<const InFlight>& in_flight,
            const Question& question) {
  GroupId group;
  switch (question.purpose) {
    case Purpose::job:
    case Purpose::relief_job: group = model.jobs[question.job].group; break;
    case Purpose::relief_node: group = model.nodes[question.node].group; break;
    case Purpose::relief_queue: group = question.group; break;
    case Purpose::reclaim:
    case Purpose::sensitive_claim: group = model.nodes[question.claimed.front()].group; break;
  }
  const Policy& policy = *policy_of(model, model.groups[group], policies);
  if (question.purpose == Purpose::job)
    return JobDecision(model, policies, policy, in_flight, question).run();
  if (question.purpose == Purpose::reclaim || question.purpose == Purpose::sensitive_claim)
    return ClaimDecision(model, policies, policy, in_flight, question).run();
  return ReliefDecision(model, policies, policy, in_flight, question).run();
}

}  // namespace cede
