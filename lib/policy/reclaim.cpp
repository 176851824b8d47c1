// SPDX-License-Identifier: MIT
#include "policy/reclaim.h"

#include <algorithm>

#include "policy/class_price.h"
#include "policy/settings/profile.h"

namespace cede {

namespace {

// If classes form bands: 0 gives way to any higher class, 1-3 to 4 and above, 4-6 to 7 and above, 7-9 to 10.
constexpr int next_band(int victim) { return victim == 0 ? 1 : victim <= 3 ? 4 : victim <= 6 ? 7 : 10; }

bool reclaims(const EffectiveSettings& effective, QueueId queue) {
  return effective.setting(Setting::reclaim, queue) == static_cast<std::int64_t>(ReclaimMode::automatic);
}

}  // namespace

ClassOrder::ClassOrder(const RuleContext& rule_context)
    : own_(rule_context.requester() ? rule_context.effective.job_class(rule_context.requester()) : 0),
      by_bands_(rule_context.requester() && rule_context.effective.profile() == Profile::class_cost &&
                rule_context.effective.setting(Setting::class_rule, rule_context.queue()) !=
                    static_cast<std::int64_t>(ClassRule::lower)) {}

int ClassOrder::least_for(int victim_class) const {
  return by_bands_ ? next_band(victim_class) : victim_class + 1;
}

Reclaim::Reclaim(const RuleContext& rule_context) : context_(rule_context), classes_(rule_context) {
  const Model& model = context_.model();
  if (!context_.requester() || context_.effective.profile() != Profile::class_cost) return;
  bool any_home = false;
  for (QueueId queue = context_.queue(); queue; queue = model.queues[queue].parent)
    any_home = any_home || model.queues[queue].home_nodes > 0;
  if (!any_home) return;
  applies_ = reclaims(context_.effective, context_.queue());
  // A class 10 job is never taken, so it needs no protection.
  if (classes_.own() == kSensitiveClass) return;
  model.queues.for_each([&](QueueId queue, const QueueRow&) {
    binds_at_home_ = binds_at_home_ || reclaims(context_.effective, queue);
  });
}

bool Reclaim::is_home(NodeId node) const {
  const QueueId home = context_.model().nodes[node].home;
  return home && context_.model().is_below(context_.queue(), home);
}

bool Reclaim::is_lent(const Unit& unit) const {
  if (!applies_) return false;
  const Model& model = context_.model();
  const QueueId queue = model.jobs[unit.job].queue;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    const NodeId node = model.tasks.core(task).node;
    return is_home(node) && borrows(model, queue, node);
  });
}

bool Reclaim::takes_back(const Unit& unit) const {
  return applies_ && !classes_.allows(context_.effective.job_class(unit.job)) && is_lent(unit);
}

bool Reclaim::is_at_home(const Unit& unit) const {
  const Model& model = context_.model();
  return !is_borrowed(model, unit) && std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    return static_cast<bool>(model.nodes[model.tasks.core(task).node].home);
  });
}

bool Reclaim::binds(const Unit& unit) const {
  if (takes_back(unit)) return true;
  return binds_at_home_ &&
         context_.effective.flag(Setting::protect_home, context_.model().jobs[unit.job].queue) &&
         is_at_home(unit);
}

// Whether victims free anything wherever they run: what the group counts, or whole domains.
bool Reclaim::any_help_elsewhere() const {
  const Model& model = context_.model();
  const std::vector<Total>& asked = context_.request.asked;
  for (const ResourceAmount& entry : model.shape(model.groups[context_.group()].resources)) {
    if (entry.resource < asked.size() && asked[entry.resource] > 0) return true;
  }
  const auto alone_in_domain = [&](JobId job) {
    const RequirementId require = model.job_extras[job.value].require;
    return require && model.requirements[require.value]->exclusive == Exclusive::domain;
  };
  return alone_in_domain(context_.requester()) ||
         std::any_of(context_.units.begin(), context_.units.end(),
                     [&](const Unit* unit) { return alone_in_domain(unit->job); });
}

bool Reclaim::may_use(NodeId node) const {
  const Model& model = context_.model();
  if (model.nodes[node].home) return is_home(node);
  if (!home_only_) home_only_ = any_help_elsewhere();
  if (*home_only_) return false;
  for (TaskId task = model.nodes[node].first_task; task; task = model.tasks.core(task).next_on_node) {
    const JobId job = model.tasks.core(task).job;
    const JobCore& core = model.jobs[job];
    for (std::uint32_t k = 0; job != context_.requester() && k < core.task_rows; ++k) {
      const NodeId other = model.tasks.core(TaskId{core.first_task.value + k}).node;
      if (other && is_home(other)) return false;
    }
  }
  return true;
}

}  // namespace cede
