// SPDX-License-Identifier: MIT
#include "engine/allowance.h"

#include <algorithm>

namespace cede {

Allowance allowance_at(Time now, const Model& model, const StormLimits& limits, const Sequence& sequence,
                       GroupId group, std::string_view requester) {
  Allowance out;
  if (!requester.empty()) out.last_attempt = sequence.last_attempt_of(requester);
  const StormWindow& storm = sequence.storm();
  const auto left = [&](StormScope scope, std::string_view name, std::int64_t limit) {
    Allowance::Budget budget;
    budget.left = std::max<std::int64_t>(0, limit - storm.taken(scope, name, now, limits.window));
    if (budget.left < limit)
      budget.free_at = storm.free_at(scope, name, now, limits.window, limit, budget.left + 1);
    return budget;
  };
  if (limits.max_preemptions_per_queue) {
    out.bounds_queues = true;
    out.per_queue = *limits.max_preemptions_per_queue;
    model.queues.for_each([&](QueueId id, const QueueRow& row) {
      const Allowance::Budget budget = left(StormScope::queue, model.name(row.name), out.per_queue);
      if (budget.left < out.per_queue) out.queues.push_back({id, budget});
    });
  }
  if (limits.max_preemptions_per_user) {
    out.bounds_users = true;
    out.per_user = *limits.max_preemptions_per_user;
    for (const StormWindow::Row& row : storm.rows()) {
      if (row.scope != StormScope::user) continue;
      const InternTable::Id user = model.names.find(row.name);
      if (user == InternTable::kNotFound) continue;
      const Allowance::Budget budget = left(StormScope::user, row.name, out.per_user);
      if (budget.left < out.per_user) out.users.push_back({user, budget});
    }
  }
  if (limits.max_lost_work) {
    out.bounds_lost_work = true;
    out.lost_work = left(StormScope::group, model.name(model.groups[group].name), *limits.max_lost_work);
  }
  return out;
}

}  // namespace cede
