// SPDX-License-Identifier: MIT
#include "policy/quota.h"

#include <algorithm>

namespace cede {

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
