// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/model.h"
#include "policy/settings/policy.h"
#include "policy/settings/setting.h"
#include "policy/settings/setting_values.h"

namespace cede {

class EffectiveSettings;
struct Unit;

inline constexpr std::uint8_t kSensitiveClass = 10;
inline constexpr std::uint8_t kDefaultClass = 4;

// What EffectiveSettings answers about each queue, computed once, because rules need it for every unit.
class QueueTable {
 public:
  explicit QueueTable(const EffectiveSettings& effective);

  // For settings of the profile.
  std::int64_t setting(Setting id, QueueId queue) const {
    return rows_[queue.value].settings[static_cast<std::size_t>(id)];
  }
  bool preemption_on(QueueId queue) const { return rows_[queue.value].on; }
  JobKind kind(QueueId queue) const { return rows_[queue.value].kind; }
  std::int64_t priority_offset(QueueId queue) const { return rows_[queue.value].offset; }

 private:
  struct Row {
    std::array<std::int64_t, kSettingCount> settings{};
    std::int64_t offset = 0;
    JobKind kind = JobKind::batch;
    bool on = true;
  };
  std::vector<Row> rows_;  // by QueueId
};

// The values for one group under its policy, with all defaults filled in: a job's kind, class, priority and
// whether it is a gang, and every setting of every queue.
class EffectiveSettings {
 public:
  // `queues`: precomputed values of queues; null: each is computed on demand.
  EffectiveSettings(const Model& model, const PolicySet& policies, const Policy& policy,
                    const QueueTable* queues = nullptr)
      : model_(model), policies_(policies), policy_(policy), queues_(queues) {}

  const Model& model() const { return model_; }
  const Policy& policy() const { return policy_; }
  const PolicySet& policies() const { return policies_; }
  Profile profile() const { return policy_.profile; }

  // The value of the nearest queue upwards that states it, else the policy's, else the default. The default
  // may depend on the queue's kind or on its `preemption_mode`.
  std::int64_t setting(Setting id, QueueId queue) const {
    return queues_ && queue ? queues_->setting(id, queue) : look_up(id, queue);
  }
  bool flag(Setting id, QueueId queue) const { return setting(id, queue) != 0; }
  // The job's own value if it is more patient than its queue's.
  std::int64_t job_setting(Setting id, JobId job) const;
  // The value of `non_preemptible_resource_usage_threshold` for this queue; empty: none.
  NamedAmounts usage_threshold(QueueId queue) const;
  // Whether preemption is on for this queue: in the engine, in the policy, and in every queue up to the root.
  bool preemption_on(QueueId queue) const;

  JobKind queue_kind(QueueId queue) const;
  JobKind kind(JobId job) const { return kind(model_.jobs[job]); }
  JobKind kind(const JobCore& job) const {
    return job.kind != JobKind::absent ? job.kind : queue_kind(job.queue);
  }
  std::uint8_t job_class(JobId job) const { return job_class(model_.jobs[job], kind(job)); }
  // The class of a job of this kind.
  std::uint8_t job_class(const JobCore& job, JobKind kind) const {
    if (kind == JobKind::sensitive) return kSensitiveClass;
    return job.job_class == kNoClass ? kDefaultClass : job.job_class;
  }
  std::int32_t priority(JobId job) const { return priority(model_.jobs[job]); }
  std::int32_t priority(const JobCore& job) const {
    return job.has_priority ? job.priority : facts(profile()).default_priority;
  }
  std::int32_t task_priority(TaskId task) const;
  bool is_gang(JobId job) const;
  Preemptible preemptible(TaskId task) const;  // never absent
  Preemptible preemptible(const JobCore& job, const TaskExtras& task) const;
  bool may_preempt(JobId job) const;
  bool task_may_preempt(TaskId task) const;
  CheckpointMode checkpoint_mode(JobId job) const {
    return checkpoint_mode(model_.job_checkpoints[job.value]);
  }
  static CheckpointMode checkpoint_mode(const JobCheckpoint& checkpoint) {
    return checkpoint.mode == CheckpointMode::absent ? CheckpointMode::none : checkpoint.mode;
  }
  // Whether the job, as a victim, is asked to write a checkpoint before it is made to leave. A suspended job
  // cannot write one.
  bool saves_first(JobId job) const {
    return checkpoint_mode(job) != CheckpointMode::none && model_.jobs[job].state != JobState::suspended &&
           flag(Setting::checkpoint_first, model_.jobs[job].queue);
  }
  // How long a victim may take to write its checkpoint.
  Duration checkpoint_timeout(JobId job) const;
  // The sum of `priority_offset` from the queue up to the root.
  std::int64_t priority_offset(QueueId queue) const;
  // `preemption.delay` of the queue, which is a leaf.
  Duration preemption_delay(QueueId queue) const;
  Time submitted(JobId job) const { return model_.job_times[job.value].submitted; }
  Time waiting_since(JobId job) const;
  // When the current run began: the task's own start, else its job's start, else the job's submission.
  Time task_start(TaskId task) const;
  // Since when the unit has run without interruption: from `resumed`, else from its start.
  Time running_since(const Unit& unit) const;

 private:
  std::int64_t look_up(Setting id, QueueId queue) const;

  const Model& model_;
  const PolicySet& policies_;
  const Policy& policy_;
  const QueueTable* queues_;
};

}  // namespace cede
