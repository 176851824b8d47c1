// SPDX-License-Identifier: MIT
#include "policy/settings/effective_settings.h"

#include <optional>

#include "policy/unit.h"

namespace cede {

namespace {

std::optional<std::int64_t> stated(const Model& model, const QueueRow& queue, Setting id) {
  if (queue.settings == kNoBlob) return std::nullopt;
  return decode_settings(model.blobs.view(queue.settings)).get(id);
}

}  // namespace

std::int64_t EffectiveSettings::look_up(Setting id, QueueId queue) const {
  for (QueueId at = queue; at; at = model_.queues[at].parent) {
    if (const auto value = stated(model_, model_.queues[at], id)) return *value;
  }
  const SettingSpec& spec = setting_of(profile(), id);
  const bool suspends =
      spec.suspend_fallback && !policy_.settings.has(id) &&
      look_up(Setting::preemption_mode, queue) == static_cast<std::int64_t>(PreemptionMode::suspend);
  if (suspends) return *spec.suspend_fallback;
  return value_or_default(spec, policy_.settings, queue ? queue_kind(queue) : JobKind::batch);
}

std::int64_t EffectiveSettings::job_setting(Setting id, JobId job) const {
  const std::int64_t of_queue = setting(id, model_.jobs[job].queue);
  const BlobId own = model_.job_extras[job.value].settings;
  if (own == kNoBlob) return of_queue;
  const auto of_job = decode_settings(model_.blobs.view(own)).get(id);
  return of_job ? value_for_job(setting_of(profile(), id), of_queue, *of_job) : of_queue;
}

NamedAmounts EffectiveSettings::usage_threshold(QueueId queue) const {
  for (QueueId at = queue; at; at = model_.queues[at].parent) {
    if (model_.queues[at].settings == kNoBlob) continue;
    const SettingValues stated = decode_settings(model_.blobs.view(model_.queues[at].settings));
    if (stated.has(Setting::non_preemptible_resource_usage_threshold)) return stated.usage_threshold();
  }
  return policy_.settings.usage_threshold();
}

bool EffectiveSettings::preemption_on(QueueId queue) const {
  if (queues_ && queue) return queues_->preemption_on(queue);
  constexpr auto kOff = static_cast<std::int64_t>(Switch::off);
  if (!policies_.preemption || policy_.settings.get(Setting::preemption) == kOff) return false;
  for (QueueId at = queue; at; at = model_.queues[at].parent) {
    if (stated(model_, model_.queues[at], Setting::preemption) == kOff) return false;
    if (profile() == Profile::guarantee && model_.queues[at].policy == QueuePolicy::disabled) return false;
  }
  return true;
}

JobKind EffectiveSettings::queue_kind(QueueId queue) const {
  if (queues_ && queue) return queues_->kind(queue);
  for (QueueId at = queue; at; at = model_.queues[at].parent) {
    if (model_.queues[at].kind != JobKind::absent) return model_.queues[at].kind;
  }
  return JobKind::batch;
}

std::int32_t EffectiveSettings::task_priority(TaskId task) const {
  const TaskExtras& extras = model_.tasks.extras(task);
  return extras.has_priority ? extras.priority : priority(model_.tasks.core(task).job);
}

bool EffectiveSettings::is_gang(JobId job) const {
  const OptionalFlag gang = model_.jobs[job].gang;
  return gang == OptionalFlag::absent ? default_gang(profile(), kind(job)) : gang == OptionalFlag::yes;
}

Preemptible EffectiveSettings::preemptible(TaskId task) const {
  return preemptible(model_.jobs[model_.tasks.core(task).job], model_.tasks.extras(task));
}

Preemptible EffectiveSettings::preemptible(const JobCore& job, const TaskExtras& task) const {
  Preemptible own = task.preemptible;
  if (own == Preemptible::absent) own = job.preemptible;
  // In `guarantee` opting out is a strong wish, not a promise.
  const bool is_wish = profile() == Profile::guarantee && own == Preemptible::no;
  if (is_wish && !flag(Setting::strict_opt_out, job.queue)) return Preemptible::last_resort;
  if (own != Preemptible::absent) return own;
  const bool opted_out = profile() == Profile::quota && flag(Setting::disable_default_preemptible, job.queue);
  return opted_out ? Preemptible::no : Preemptible::yes;
}

bool EffectiveSettings::may_preempt(JobId job) const {
  const JobCore& core = model_.jobs[job];
  if (core.may_preempt != OptionalFlag::absent) return core.may_preempt == OptionalFlag::yes;
  return profile() != Profile::quota || !flag(Setting::disable_default_trigger_preemption, core.queue);
}

bool EffectiveSettings::task_may_preempt(TaskId task) const {
  const OptionalFlag own = model_.tasks.extras(task).may_preempt;
  return own == OptionalFlag::absent ? may_preempt(model_.tasks.core(task).job) : own == OptionalFlag::yes;
}

Duration EffectiveSettings::checkpoint_timeout(JobId job) const {
  const Duration stated_timeout = model_.job_checkpoints[job.value].timeout;
  if (stated_timeout != kNoDuration) return stated_timeout;
  return setting(Setting::checkpoint_timeout, model_.jobs[job].queue);
}

std::int64_t EffectiveSettings::priority_offset(QueueId queue) const {
  if (queues_ && queue) return queues_->priority_offset(queue);
  std::int64_t sum = 0;
  for (QueueId at = queue; at; at = model_.queues[at].parent) sum += model_.queues[at].priority_offset;
  return sum;
}

Duration EffectiveSettings::preemption_delay(QueueId queue) const {
  // An inner queue may state a delay, but only the delay of a leaf is used.
  const QueueRow& row = model_.queues[queue];
  const Duration own = row.children == 0 ? row.delay : kNoDuration;
  return own != kNoDuration ? own : setting_of(profile(), Setting::preemption_delay).fallback;
}

Time EffectiveSettings::waiting_since(JobId job) const {
  const Time stated = model_.job_state_times[job.value].waiting_since;
  return stated != kNoTime ? stated : model_.job_times[job.value].submitted;
}

Time EffectiveSettings::task_start(TaskId task) const {
  const Time own = model_.tasks.extras(task).started;
  if (own != kNoTime) return own;
  const JobTimes& times = model_.job_times[model_.tasks.core(task).job.value];
  return times.started != kNoTime ? times.started : times.submitted;
}

Time EffectiveSettings::running_since(const Unit& unit) const {
  const Time resumed = model_.job_state_times[unit.job.value].resumed;
  return resumed != kNoTime ? resumed : unit.start;
}

QueueTable::QueueTable(const EffectiveSettings& effective) : rows_(effective.model().queues.id_bound()) {
  effective.model().queues.for_each([&](QueueId id, const QueueRow&) {
    Row& row = rows_[id.value];
    for (const SettingSpec& spec : settings_of(effective.profile()))
      row.settings[static_cast<std::size_t>(spec.id)] = effective.setting(spec.id, id);
    row.offset = effective.priority_offset(id);
    row.kind = effective.queue_kind(id);
    row.on = effective.preemption_on(id);
  });
}

}  // namespace cede
