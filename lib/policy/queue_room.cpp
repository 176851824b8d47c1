// SPDX-License-Identifier: MIT
#include "policy/queue_room.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

Total asked(const Asking& asking, std::uint32_t resource) {
  const std::vector<Total>& sums = asking.request.asked;
  return resource < sums.size() ? sums[resource] : 0;
}

std::vector<QueueId> limited_path(const Asking& asking) {
  std::vector<QueueId> path;
  const bool own_only = asking.effective.profile() == Profile::quota &&
                        !asking.effective.flag(Setting::check_parent_quota, asking.queue());
  for (QueueId queue = asking.queue(); queue; queue = asking.model().queues[queue].parent) {
    path.push_back(queue);
    if (own_only) break;
  }
  return path;
}

std::vector<Lacking> lacking_room(const Asking& asking, const GroupUsage& usage) {
  std::vector<Lacking> lacking;
  for (const QueueId queue : limited_path(asking)) {
    for (const ResourceAmount& bound : asking.model().shape(asking.model().queues[queue].max)) {
      const Total more = asked(asking, bound.resource);
      const Total sum = usage.occupied(queue, bound.resource) + more;
      if (more > 0 && sum > bound.amount)
        lacking.push_back({queue, bound.resource, bound.amount, sum, "max"});
    }
  }
  return lacking;
}

std::string describe(const Model& model, const Lacking& lacking) {
  return "queue " + quote(model.name(model.queues[lacking.queue].name)) + " would hold " +
         format_total(lacking.would_be) + ' ' + std::string(model.resource_name(lacking.resource)) +
         ", its " + std::string(lacking.limit) + " is " + format_total(lacking.bound);
}

std::vector<Lacking> lacking_minimum(const Asking& asking) {
  std::vector<Lacking> lacking;
  if (!asking.requester() || !is_fixed(asking.effective, asking.requester())) return lacking;
  const Model& model = asking.model();
  for (const QueueId queue : limited_path(asking)) {
    if (model.queues[queue].guaranteed == kNoShape) continue;
    for (std::uint32_t r = 0; r < asking.usage.resources(); ++r) {
      const Total more = asked(asking, r);
      if (more == 0) continue;
      const Amount least = amount_of(model.shape(model.queues[queue].guaranteed), r);
      const Total sum = asking.usage.fixed_used(queue, r) + more;
      if (sum > least) lacking.push_back({queue, r, least, sum, "guaranteed"});
    }
  }
  return lacking;
}

std::vector<Lacking> lacking_maximum(const Asking& asking) {
  std::vector<Lacking> lacking;
  if (!asking.requester() || is_fixed(asking.effective, asking.requester())) return lacking;
  const Model& model = asking.model();
  for (const QueueId queue : limited_path(asking)) {
    for (const ResourceAmount& most : model.shape(model.queues[queue].max)) {
      const Total more = asked(asking, most.resource);
      if (more == 0) continue;
      const Amount least = amount_of(model.shape(model.queues[queue].guaranteed), most.resource);
      const Total owed = std::min<Total>(least, asking.usage.fixed_requested(queue, most.resource));
      const Total sum = owed + asking.usage.preemptible_used(queue, most.resource) + more;
      if (sum > most.amount) lacking.push_back({queue, most.resource, most.amount, sum, "max"});
    }
  }
  return lacking;
}

}  // namespace cede
