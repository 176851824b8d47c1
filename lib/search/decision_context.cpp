// SPDX-License-Identifier: MIT
#include "search/decision_context.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

namespace {

constexpr std::size_t kExplainedAtOnce = 256;  // with more units than this, reasons are worked out on demand

const Policy& policy_for(const DecisionInput& input, const Query& query) {
  const Model& model = *input.model;
  return *policy_of(model, model.groups[group_of(model, query)], *input.policies);
}

std::shared_ptr<const GroupIndex> group_index_for(const DecisionInput& input, const Policy& policy,
                                                  GroupId group) {
  if (input.group_indexes)
    return input.group_indexes->of(input.model, input.policies, policy, group, *input.in_flight,
                                   input.workers);
  return std::make_shared<const GroupIndex>(input.model, input.policies, policy, group, *input.in_flight);
}

Request request_of(const EffectiveSettings& effective, const Query& query) {
  const Model& model = effective.model();
  Request request;
  switch (query.purpose) {
    case Purpose::job: return make_request(effective, query.job);
    case Purpose::relief_node: request.node = query.node; break;
    case Purpose::relief_queue: request.queue = query.queue; break;
    case Purpose::relief_job:
      request.job = query.job;
      request.queue = model.jobs[query.job].queue;
      break;
    case Purpose::reclaim:
    case Purpose::sensitive_claim:
      request.queue = query.queue;
      request.claimed = query.claimed;
      std::sort(request.claimed.begin(), request.claimed.end(), [&](NodeId a, NodeId b) {
        return model.name(model.nodes[a].name) < model.name(model.nodes[b].name);
      });
      break;
  }
  request.purpose = query.purpose;
  request.group = group_of(model, query);
  return request;
}

}  // namespace

GroupId group_of(const Model& model, const Query& query) {
  switch (query.purpose) {
    case Purpose::job:
    case Purpose::relief_job: return model.jobs[query.job].group;
    case Purpose::relief_node: return model.nodes[query.node].group;
    case Purpose::relief_queue: return query.group;
    case Purpose::reclaim:
    case Purpose::sensitive_claim: break;
  }
  return model.nodes[query.claimed.front()].group;
}

DecisionContext::DecisionContext(const DecisionInput& in, const Query& asked)
    : input(in),
      query(asked),
      model(*in.model),
      policy(policy_for(in, asked)),
      profile(composition(policy.profile)),
      group_index(group_index_for(in, policy, group_of(model, asked))),
      effective(model, *in.policies, policy, &group_index->queues()),
      request(request_of(effective, asked)),
      own_usage(in.in_flight->any_surplus() && model.is_limited(request.queue)
                    ? std::optional(group_index->usage().beside(*in.in_flight))
                    : std::nullopt),
      fair(profile.inputs().fair_shares
               ? std::make_unique<const FairShareStatus>(effective, request.group, *in.in_flight, asked.now,
                                                         group_index->fair_shares())
               : nullptr),
      rule_context{effective,
                   request,
                   asked.now,
                   asked.protect,
                   own_usage ? *own_usage : group_index->usage(),
                   *in.in_flight,
                   group_index->units(),
                   fair.get(),
                   asked.allowance},
      work(kFirstAnswerWork + static_cast<std::uint64_t>(in.policies->limits.search_work)) {
  std::sort(rule_context.protect.begin(), rule_context.protect.end());
}

bool DecisionContext::explains_units_later() const {
  return input.group_indexes && request.purpose == Purpose::job &&
         rule_context.units.size() > kExplainedAtOnce;
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
