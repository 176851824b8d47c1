// SPDX-License-Identifier: MIT
#include "engine/history.h"

#include <algorithm>

#include "policy/shares/starvation.h"

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

// A job starves from the change that first shows it below its fair share until the first change that shows it
// satisfied. A plan only reads these clocks.
Clocks look_at_clocks(ProjectedCluster& projection, const PolicySet& policies, const Clocks& known,
                      Time now) {
  const Model& model = *projection.model;
  remember_clocks(model, projection.in_flight, known);
  Clocks clocks;
  std::vector<std::pair<JobId, Time>> next;
  model.groups.for_each([&](GroupId group, const GroupRow& row) {
    const Policy* policy = policy_of(model, row, policies);
    if (!policy || policy->profile != Profile::fair_share) return;
    const EffectiveSettings effective(model, policies, *policy);
    const FairShareStatus standing(effective, group, projection.in_flight, now);
    model.jobs.for_each([&](JobId job, const JobCore& core) {
      if (core.group != group) return;
      const Time since = below_since(standing.status(job), projection.in_flight.below_since(job), now);
      if (since == kNoTime) return;
      clocks[std::string(model.job_name(job))] = since;
      next.emplace_back(job, since);
    });
  });
  std::sort(next.begin(), next.end());
  projection.in_flight.below_fair_share = std::move(next);
  return clocks;
}

void remember_clocks(const Model& model, InFlight& in_flight, const Clocks& known) {
  std::vector<std::pair<JobId, Time>>& rows = in_flight.below_fair_share;
  for (const auto& [name, since] : known) {
    if (const JobId job = model.find_job(name)) rows.emplace_back(job, since);
  }
  std::sort(rows.begin(), rows.end());
}

// A node is over its capacity from the change that first shows it until the first change that shows it within
// it, or gone. A clock that went back shortens nothing: the time then counts from the earlier now.
Clocks look_at_overcommitted(const Model& model, const PolicySet& policies, const Clocks& known, Time now) {
  Clocks out;
  const bool any = std::any_of(policies.policies.begin(), policies.policies.end(), [&](const Policy& policy) {
    return EffectiveSettings(model, policies, policy).setting(Setting::overcommit_grace, QueueId{}) > 0;
  });
  if (!any) return out;
  std::vector<Total> used(model.resources.size());
  model.nodes.for_each([&](NodeId, const NodeRow& row) {
    if (!row.first_task) return;
    std::fill(used.begin(), used.end(), 0);
    for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
      for (const ResourceAmount& entry : model.shape(model.tasks.core(task).resources))
        used[entry.resource] += entry.amount;
    }
    const ResourceView capacity = model.shape(row.resources);
    const ResourceView counted = model.shape(model.groups[row.group].resources);
    bool over = false;
    for (std::uint32_t r = 0; r < used.size(); ++r)
      over = over || (used[r] > amount_of(capacity, r) && amount_of(counted, r, kNoAmount) == kNoAmount);
    if (!over) return;
    const std::string name(model.name(row.name));
    const auto before = known.find(name);
    out[name] = before == known.end() ? now : std::min(before->second, now);
  });
  return out;
}

void remember_overcommitted(const Model& model, InFlight& in_flight, const Clocks& since) {
  std::vector<std::pair<NodeId, Time>>& known = in_flight.overcommitted;
  known.clear();
  for (const auto& [name, time] : since) {
    if (const NodeId node = model.find_node(name)) known.emplace_back(node, time);
  }
  std::sort(known.begin(), known.end());
}

bool keeps_clocks(const Model& model, const PolicySet& policies) {
  bool any = false;
  model.groups.for_each([&](GroupId, const GroupRow& row) {
    const Policy* policy = policy_of(model, row, policies);
    any = any || (policy && policy->profile == Profile::fair_share);
  });
  return any;
}

}  // namespace cede
