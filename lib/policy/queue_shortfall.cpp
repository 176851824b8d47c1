// SPDX-License-Identifier: MIT
#include "policy/queue_shortfall.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

Total asked(const RuleContext& rule_context, std::uint32_t resource) {
  const std::vector<Total>& sums = rule_context.request.asked;
  return resource < sums.size() ? sums[resource] : 0;
}

std::vector<QueueId> limited_path(const RuleContext& rule_context) {
  std::vector<QueueId> path;
  const bool own_only = rule_context.effective.profile() == Profile::quota &&
                        !rule_context.effective.flag(Setting::check_parent_quota, rule_context.queue());
  for (QueueId queue = rule_context.queue(); queue; queue = rule_context.model().queues[queue].parent) {
    path.push_back(queue);
    if (own_only) break;
  }
  return path;
}

std::vector<QueueShortfall> queue_shortfalls(const RuleContext& rule_context, const GroupUsage& usage) {
  std::vector<QueueShortfall> shortfall;
  for (const QueueId queue : limited_path(rule_context)) {
    for (const ResourceAmount& bound : rule_context.model().shape(rule_context.model().queues[queue].max)) {
      const Total more = asked(rule_context, bound.resource);
      const Total sum = usage.occupied(queue, bound.resource) + more;
      if (more > 0 && sum > bound.amount)
        shortfall.push_back({queue, bound.resource, bound.amount, sum, "max"});
    }
  }
  return shortfall;
}

std::string describe(const Model& model, const QueueShortfall& shortfall) {
  return "queue " + quote(model.name(model.queues[shortfall.queue].name)) + " would hold " +
         format_total(shortfall.would_be) + ' ' + std::string(model.resource_name(shortfall.resource)) +
         ", its " + std::string(shortfall.limit) + " is " + format_total(shortfall.bound);
}

std::vector<QueueShortfall> minimum_shortfalls(const RuleContext& rule_context) {
  std::vector<QueueShortfall> shortfall;
  if (!rule_context.requester() || !is_fixed(rule_context.effective, rule_context.requester()))
    return shortfall;
  const Model& model = rule_context.model();
  for (const QueueId queue : limited_path(rule_context)) {
    if (model.queues[queue].guaranteed == kNoShape) continue;
    for (std::uint32_t r = 0; r < rule_context.usage.resources(); ++r) {
      const Total more = asked(rule_context, r);
      if (more == 0) continue;
      const Amount least = amount_of(model.shape(model.queues[queue].guaranteed), r);
      const Total sum = rule_context.usage.fixed_used(queue, r) + more;
      if (sum > least) shortfall.push_back({queue, r, least, sum, "guaranteed"});
    }
  }
  return shortfall;
}

std::vector<QueueShortfall> maximum_shortfalls(const RuleContext& rule_context) {
  std::vector<QueueShortfall> shortfall;
  if (!rule_context.requester() || is_fixed(rule_context.effective, rule_context.requester()))
    return shortfall;
  const Model& model = rule_context.model();
  for (const QueueId queue : limited_path(rule_context)) {
    for (const ResourceAmount& most : model.shape(model.queues[queue].max)) {
      const Total more = asked(rule_context, most.resource);
      if (more == 0) continue;
      const Amount least = amount_of(model.shape(model.queues[queue].guaranteed), most.resource);
      const Total owed = std::min<Total>(least, rule_context.usage.fixed_requested(queue, most.resource));
      const Total sum = owed + rule_context.usage.preemptible_used(queue, most.resource) + more;
      if (sum > most.amount) shortfall.push_back({queue, most.resource, most.amount, sum, "max"});
    }
  }
  return shortfall;
}

}  // namespace cede
