// SPDX-License-Identifier: MIT
#include "policy/rules/eligibility.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

bool Cooldown::excludes(const Unit& unit, std::string* why) const {
  const Time resumed = model().job_state_times[unit.job.value].resumed;
  const Duration cooldown = context_.effective.policies().limits.cooldown;
  if (resumed == kNoTime || cooldown == 0 || context_.now - resumed >= cooldown) return false;
  if (why) {
    *why = "it resumed " + format_duration(std::max<Duration>(0, context_.now - resumed)) +
           " ago, the cooldown is " + format_duration(cooldown);
  }
  return true;
}

bool Cooldown::may_exclude() const { return context_.effective.policies().limits.cooldown != 0; }

bool Held::excludes(const Unit& unit, std::string* why) const {
  const InFlight::Hold* hold = context_.in_flight.hold(unit.job);
  if (hold && (hold->ready || unit.hold == 0)) {
    if (why)
      *why = "entry " + std::to_string(hold->entry) +
             (hold->ready ? " made space for it, and it is about to start"
                          : " makes space for more of its tasks");
    return true;
  }
  for (const TaskId task : unit.tasks) {
    if (!context_.in_flight.is_leaving(task)) continue;
    if (why) *why = "it is giving way to another request already";
    return true;
  }
  return false;
}

bool Held::may_exclude() const {
  return context_.in_flight.any_holds() || !context_.in_flight.leaving.empty();
}

bool MinRuntime::excludes(const Unit& unit, std::string* why) const {
  const Duration least = context_.effective.setting(Setting::min_runtime, queue_of(unit));
  const Duration ran = std::max<Duration>(0, context_.now - context_.effective.running_since(unit));
  if (ran >= least) return false;
  if (why)
    *why = "it has run for " + format_duration(ran) + ", less than min_runtime " + format_duration(least);
  return true;
}

bool MinRuntime::may_exclude() const {
  return any_queue(
      [&](QueueId queue) { return context_.effective.setting(Setting::min_runtime, queue) > 0; });
}

bool NotPreemptible::excludes_row(const UnitRow& row) const { return !row.unit.preemptible; }

bool NotPreemptible::excludes(const Unit& unit, std::string* why) const {
  if (unit.preemptible) return false;
  if (why) *why = "the job opted out of preemption";
  return true;
}

bool PreemptedOften::excludes(const Unit& unit, std::string* why) const {
  const std::int64_t most = context_.effective.setting(Setting::max_preempted_count, queue_of(unit));
  const std::uint32_t count = model().job_extras[unit.job.value].preempted_count;
  if (most == kNoSetting || count < most) return false;
  if (why) {
    *why = "it was preempted " + std::to_string(count) + " times already, max_preempted_count is " +
           std::to_string(most);
  }
  return true;
}

bool PreemptedOften::may_exclude() const {
  return any_queue([&](QueueId queue) {
    return context_.effective.setting(Setting::max_preempted_count, queue) != kNoSetting;
  });
}

bool ProtectedJob::excludes(const Unit& unit, std::string* why) const {
  if (!std::binary_search(context_.protect.begin(), context_.protect.end(), unit.job)) return false;
  if (why) *why = "the caller asked to leave the job alone";
  return true;
}

bool ProtectedJob::may_exclude() const { return !context_.protect.empty(); }

bool QueueOff::excludes(const Unit& unit, std::string* why) const {
  const QueueId queue = queue_of(unit);
  if (context_.effective.preemption_on(queue)) return false;
  if (why) *why = "preemption is off for queue " + quote(model().name(model().queues[queue].name));
  return true;
}

bool QueueOff::may_exclude() const {
  return any_queue([&](QueueId queue) { return !context_.effective.preemption_on(queue); });
}

// A job with some waiting tasks is pending, but its placed tasks run.
bool Running::excludes_row(const UnitRow& row) const {
  return row.job.state != JobState::running && row.job.state != JobState::pending;
}

bool Running::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  const JobState state = model().jobs[unit.job].state;
  if (why) *why = "the job is " + std::string(to_word(state, kJobStates));
  return true;
}

bool SameGroup::excludes_row(const UnitRow& row) const { return row.job.group != context_.group(); }

bool SameGroup::may_exclude() const { return model().groups.live() > 1; }

bool SameGroup::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  const GroupId group = model().jobs[unit.job].group;
  if (why) *why = "the job is in group " + quote(model().name(model().groups[group].name));
  return true;
}

bool SameJob::excludes_row(const UnitRow& row) const {
  return context_.requester() && row.unit.job == context_.requester();
}

// A requester without placed tasks has no unit.
bool SameJob::may_exclude() const {
  if (!context_.requester()) return false;
  const JobCore& job = model().jobs[context_.requester()];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (model().tasks.core(TaskId{job.first_task.value + k}).node) return true;
  }
  return false;
}

bool SameJob::excludes(const Unit& unit, std::string* why) const {
  if (!excludes_unit(unit)) return false;
  if (why) *why = "it belongs to the requester itself";
  return true;
}

bool Sensitive::excludes_row(const UnitRow& row) const {
  return row.kind == JobKind::sensitive || row.job_class == kSensitiveClass;
}

bool Sensitive::excludes(const Unit& unit, std::string* why) const {
  if (context_.effective.kind(unit.job) == JobKind::sensitive) {
    if (why) *why = "the job is of kind sensitive";
    return true;
  }
  if (context_.effective.job_class(unit.job) != kSensitiveClass) return false;
  if (why) *why = "the job is of class 10";
  return true;
}

}  // namespace cede
