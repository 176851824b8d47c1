// SPDX-License-Identifier: MIT
#include "policy/rules/eligibility_profiles.h"

#include <algorithm>

#include "base/text.h"
#include "policy/class_price.h"
#include "policy/composition.h"
#include "policy/queue_shortfall.h"
#include "policy/settings/profile.h"
#include "policy/shares/starvation.h"

namespace cede {

bool AggressiveForbidden::excludes(const Unit& unit, std::string* why) const {
  if (context_.fair->tier(unit) != TaskTier::aggressively_preemptible) return false;
  if (context_.effective.flag(Setting::allow_aggressive_preemption, queue_of(unit))) return false;
  if (why) *why = "its queue does not allow aggressive preemption";
  return true;
}

// How much the requester starves.
std::int64_t AggressiveOnly::figure() const {
  return context_.requester() ? static_cast<std::int64_t>(context_.fair->starvation(context_.requester()))
                              : 0;
}

bool AggressiveOnly::excludes(const Unit& unit, std::string* why) const {
  if (!context_.requester() || context_.fair->tier(unit) != TaskTier::aggressively_preemptible) return false;
  if (context_.fair->starvation(context_.requester()) == Starvation::aggressively_starving) return false;
  if (why) *why = "it is within its job's fair share, and the requester does not starve aggressively";
  return true;
}

LowerClass::LowerClass(const RuleContext& rule_context)
    : EligibilityRule(rule_context), classes_(rule_context), reclaim_(rule_context) {}

bool LowerClass::excludes_row(const UnitRow& row) const {
  return context_.requester() && !classes_.allows(row.job_class) && !reclaim_.is_lent(row.unit);
}

bool LowerClass::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  if (why) {
    const int victim_class = context_.effective.job_class(unit.job);
    *why = "its class " + std::to_string(victim_class) + " gives way to class " +
           std::to_string(classes_.least_for(victim_class)) + " and above, the requester's is " +
           std::to_string(classes_.own());
  }
  return true;
}

Fence::Fence(const RuleContext& rule_context)
    : EligibilityRule(rule_context),
      top_(rule_context.requester() && !for_required_node(rule_context) ? fence_of(rule_context)
                                                                        : QueueId{}) {}

bool Fence::excludes(const Unit& unit, std::string* why) const {
  if (!top_ || model().is_below(queue_of(unit), top_)) return false;
  if (why) {
    *why = "queue " + quote(model().name(model().queues[queue_of(unit)].name)) + " is outside the fence of " +
           quote(model().name(model().queues[top_].name));
  }
  return true;
}

// A queue without home nodes has no unit at home.
bool Home::may_exclude() const {
  return any_queue([&](QueueId queue) { return model().queues[queue].home_nodes > 0; });
}

bool Home::excludes(const Unit& unit, std::string* why) const {
  if (!context_.queue() || !context_.effective.flag(Setting::protect_home, queue_of(unit))) return false;
  if (context_.requester() && context_.effective.job_class(context_.requester()) == kSensitiveClass)
    return false;
  if (is_borrowed(model(), unit)) return false;
  for (const TaskId task : unit.tasks) {
    const NodeRow& node = model().nodes[model().tasks.core(task).node];
    if (!node.home || model().is_below(context_.queue(), node.home)) continue;
    if (why) {
      *why = "node " + quote(model().name(node.name)) + " is the home of queue " +
             quote(model().name(model().queues[node.home].name)) + ", which it runs in";
    }
    return true;
  }
  return false;
}

bool HomeService::excludes_row(const UnitRow& row) const {
  return (row.kind == JobKind::service || row.kind == JobKind::inference) && !is_borrowed(model(), row.unit);
}

bool HomeService::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  const JobKind kind = context_.effective.kind(unit.job);
  if (why) *why = "it is of kind " + std::string(to_word(kind, kJobKinds)) + " and on no borrowed node";
  return true;
}

// A task of an elastic job is as near to completion as its job, however late the task itself was added.
Duration NearCompletion::left(const Unit& unit, Duration walltime) const {
  const JobId job = unit.job;
  Time since = context_.effective.running_since(unit);
  if (!unit.whole_job && unit.hold == 0 && context_.effective.is_gang(job) &&
      model().job_state_times[job.value].resumed == kNoTime) {
    const JobCore& core = model().jobs[job];
    for (std::uint32_t k = 0; k < core.task_rows; ++k) {
      const TaskId task{core.first_task.value + k};
      if (model().tasks.core(task).node) since = std::min(since, context_.effective.task_start(task));
    }
    if (const Time started = model().job_times[job.value].started; started != kNoTime) since = started;
  }
  return since + walltime - context_.now;
}

bool NearCompletion::excludes_row(const UnitRow& row) const {
  const Duration walltime = model().job_times[row.unit.job.value].walltime;
  return walltime != kNoDuration &&
         left(row.unit, walltime) <=
             context_.effective.setting(Setting::near_completion_threshold, row.job.queue);
}

bool NearCompletion::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  if (why) {
    const Duration left = this->left(unit, model().job_times[unit.job.value].walltime);
    const Duration threshold = context_.effective.setting(Setting::near_completion_threshold, queue_of(unit));
    *why = "it has " + format_duration(std::max<Duration>(0, left)) +
           " of its walltime left, near_completion_threshold is " + format_duration(threshold);
  }
  return true;
}

bool NodeBackoff::excludes(const Unit& unit, std::string* why) const {
  const Duration backoff =
      context_.effective.setting(Setting::preemptive_scheduling_backoff, context_.queue());
  if (!context_.requester()) return false;
  for (const TaskId task : unit.tasks) {
    const NodeRow& node = model().nodes[model().tasks.core(task).node];
    const Time last = context_.in_flight.last_commit(model().name(node.name));
    if (last == kNoTime || context_.now - last >= backoff) continue;
    if (why)
      *why = "its node was preempted on at " + format_time(last) + ", the backoff is " +
             format_duration(backoff);
    return true;
  }
  return false;
}

LowerPriority::LowerPriority(const RuleContext& rule_context)
    : EligibilityRule(rule_context), own_(rule_context.request.priority) {}

bool LowerPriority::excludes_row(const UnitRow& row) const {
  return context_.requester() && row.unit.priority >= own_;
}

bool LowerPriority::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  if (why) {
    *why = "its priority " + std::to_string(unit.priority) + " is not below the requester's " +
           std::to_string(own_);
  }
  return true;
}

bool OffsetPriority::excludes(const Unit& unit, std::string* why) const {
  if (!context_.requester()) return false;
  const std::int64_t own = context_.request.priority + context_.effective.priority_offset(context_.queue());
  const std::int64_t victim_priority = unit.priority + context_.effective.priority_offset(queue_of(unit));
  if (victim_priority < own) return false;
  // Of equal priorities, the one that would take its place back is spared. A request for a named node may
  // take it in spite of guarantees, so the guarantees do not keep the two from taking it from each other for
  // ever.
  const bool same_leaf = queue_of(unit) == context_.queue();
  const bool strictly = !for_required_node(context_) && (same_leaf || is_bound_to_node(model(), unit));
  if (victim_priority == own && !strictly) return false;
  if (why) {
    *why = "its priority " + std::to_string(victim_priority) + (strictly ? " is not below" : " is above") +
           " the requester's " + std::to_string(own);
    if (strictly && !same_leaf) *why += ", and it is bound to its node";
  }
  return true;
}

bool PriorityThreshold::excludes_row(const UnitRow& row) const {
  return row.unit.priority > context_.effective.setting(Setting::preemptible_priority, row.job.queue);
}

bool PriorityThreshold::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  if (why) {
    const std::int64_t most = context_.effective.setting(Setting::preemptible_priority, queue_of(unit));
    *why = "its priority " + std::to_string(unit.priority) + " is above preemptible_priority " +
           std::to_string(most);
  }
  return true;
}

bool ProtectedTask::excludes(const Unit& unit, std::string* why) const {
  if (context_.fair->tier(unit) != TaskTier::non_preemptible) return false;
  if (why) *why = "it is within the protected part of its job's fair share";
  return true;
}

bool QueueNotOver::excludes(const Unit& unit, std::string* why) const {
  if (!context_.requester() || for_required_node(context_) || within_leaf(context_, queue_of(unit)))
    return false;
  if (!why) return alone_loses_guarantee(context_, unit);
  const Unit* const alone = &unit;
  return loses_guarantee(context_, {&alone, 1}, why);
}

bool RequiredNode::excludes(const Unit& unit, std::string* why) const {
  if (!context_.requester() || !for_required_node(context_)) return false;
  const std::vector<RequestTask>& tasks = context_.request.tasks;
  const bool there = std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    const NameId node = model().nodes[model().tasks.core(task).node].name;
    return std::any_of(tasks.begin(), tasks.end(),
                       [&](const RequestTask& wanted) { return wanted.required_node == node; });
  });
  if (!there) {
    if (why)
      *why = "it is not on node " + quote(model().name(tasks.front().required_node)) +
             ", where the task must run";
    return true;
  }
  const bool bound = std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    return model().tasks.extras(task).required_node != kNoName;
  });
  if (bound && why) *why = "it is bound to its node as well";
  return bound;
}

bool SameApp::excludes(const Unit& unit, std::string* why) const {
  if (!context_.requester()) return false;
  const auto app = [&](JobId job) {
    const NameId stated = model().job_owners[job.value].app;
    return stated == kNoName ? model().job_name(job) : model().name(stated);
  };
  if (app(unit.job) != app(context_.requester())) return false;
  if (why) *why = "it is of the same application " + quote(app(unit.job));
  return true;
}

namespace {

// An owner without a name equals no other owner.
bool same(NameId a, NameId b) { return a != kNoName && a == b; }

}  // namespace

bool Scope::excludes(const Unit& unit, std::string* why) const {
  if (!context_.requester()) return false;
  const auto scope =
      static_cast<VictimScope>(context_.effective.setting(Setting::victim_scope, context_.queue()));
  const JobOwners& victim_owners = model().job_owners[unit.job.value];
  const JobOwners& own_owners = model().job_owners[context_.requester().value];
  switch (scope) {
    case VictimScope::group: return false;
    case VictimScope::user:
      if (same(victim_owners.user, own_owners.user)) return false;
      break;
    case VictimScope::project:
      if (same(victim_owners.project, own_owners.project)) return false;
      break;
    case VictimScope::tenant:
      if (same(victim_owners.tenant, own_owners.tenant)) return false;
      break;
  }
  if (why)
    *why = "victim_scope is " + std::string(to_word(scope, kVictimScopes)) + ", and the job is another's";
  return true;
}

bool Scope::may_exclude() const {
  return context_.requester() && context_.effective.setting(Setting::victim_scope, context_.queue()) !=
                                     static_cast<std::int64_t>(VictimScope::group);
}

SharedGuarantee::SharedGuarantee(const RuleContext& rule_context)
    : EligibilityRule(rule_context),
      applies_(rule_context.requester() && !for_required_node(rule_context)),
      lowest_(applies_ ? lowest_justifying_queue(rule_context) : QueueId{}) {}

bool SharedGuarantee::excludes(const Unit& unit, std::string* why) const {
  if (!applies_ || within_leaf(context_, queue_of(unit))) return false;
  if (!lowest_) {
    if (why) *why = "no queue on the requester's path lacks any of its guarantee";
    return true;
  }
  if (!model().is_below(queue_of(unit), lowest_)) return false;
  if (why) {
    *why = "it is below queue " + quote(model().name(model().queues[lowest_].name)) +
           ", whose guarantee the request would serve";
  }
  return true;
}

bool StarvingVictim::excludes(const Unit& unit, std::string* why) const {
  if (!context_.requester() ||
      context_.effective.flag(Setting::allow_preemption_from_starving, queue_of(unit)))
    return false;
  if (context_.fair->starvation(unit.job) == Starvation::non_starving) return false;
  if (why) *why = "its job starves itself";
  return true;
}

namespace {

constexpr std::uint8_t kHighClass = 7;

}  // namespace

bool UnsavedHighClass::excludes_row(const UnitRow& row) const {
  return row.job_class >= kHighClass &&
         context_.effective.checkpoint_mode(row.unit.job) == CheckpointMode::none;
}

bool UnsavedHighClass::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  const std::uint8_t job_class = context_.effective.job_class(unit.job);
  if (why) *why = "its class " + std::to_string(job_class) + " is 7 or above and it cannot checkpoint";
  return true;
}

}  // namespace cede
