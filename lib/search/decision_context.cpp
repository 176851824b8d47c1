// SPDX-License-Identifier: MIT
#include "search/decision_context.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

namespace {

constexpr std::size_t kExplainedAtOnce = 256;  // units

const Policy& policy_for(const DecisionInput& input, const Question& question) {
  const Model& model = *input.model;
  return *policy_of(model, model.groups[group_of(model, question)], *input.policies);
}

std::shared_ptr<const Ground> ground_for(const DecisionInput& input, const Policy& policy, GroupId group) {
  if (input.grounds)
    return input.grounds->of(input.model, input.policies, policy, group, *input.in_flight, input.crew);
  return std::make_shared<const Ground>(input.model, input.policies, policy, group, *input.in_flight);
}

Request request_of(const Effective& effective, const Question& question) {
  const Model& model = effective.model();
  Request request;
  switch (question.purpose) {
    case Purpose::job: return make_request(effective, question.job);
    case Purpose::relief_node: request.node = question.node; break;
    case Purpose::relief_queue: request.queue = question.queue; break;
    case Purpose::relief_job:
      request.job = question.job;
      request.queue = model.jobs[question.job].queue;
      break;
    case Purpose::reclaim:
    case Purpose::sensitive_claim:
      request.queue = question.queue;
      request.claimed = question.claimed;
      std::sort(request.claimed.begin(), request.claimed.end(), [&](NodeId a, NodeId b) {
        return model.name(model.nodes[a].name) < model.name(model.nodes[b].name);
      });
      break;
  }
  request.purpose = question.purpose;
  request.group = group_of(model, question);
  return request;
}

}  // namespace

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

DecisionContext::DecisionContext(const DecisionInput& in, const Question& asked)
    : input(in),
      question(asked),
      model(*in.model),
      policy(policy_for(in, asked)),
      profile(composition(policy.profile)),
      ground(ground_for(in, policy, group_of(model, asked))),
      effective(model, *in.policies, policy, &ground->queues()),
      request(request_of(effective, asked)),
      own_usage(in.in_flight->surplus.empty() ? std::nullopt
                                              : std::optional(ground->usage().beside(*in.in_flight))),
      fair(profile.inputs().fair_shares
               ? std::make_unique<const FairStanding>(effective, request.group, *in.in_flight, asked.now)
               : nullptr),
      asking{effective,
             request,
             asked.now,
             asked.protect,
             own_usage ? *own_usage : ground->usage(),
             *in.in_flight,
             ground->units(),
             fair.get(),
             asked.allowance},
      work(kFirstAnswerWork + static_cast<std::uint64_t>(in.policies->limits.search_work)) {
  std::sort(asking.protect.begin(), asking.protect.end());
}

bool DecisionContext::explains_units_later() const {
  return input.grounds && request.purpose == Purpose::job && asking.units.size() > kExplainedAtOnce;
}

std::string relief_target(const DecisionContext& context) {
  const Model& model = context.model;
  const Request& request = context.request;
  switch (request.purpose) {
    case Purpose::relief_node: return "node " + quote(model.name(model.nodes[request.node].name));
    case Purpose::relief_job: return "job " + quote(model.job_name(request.job));
    default: return "queue " + quote(model.name(model.queues[request.queue].name));
  }
}

}  // namespace cede
