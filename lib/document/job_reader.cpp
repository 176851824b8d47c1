// SPDX-License-Identifier: MIT
#include "document/job_reader.h"

#include <algorithm>

#include "base/text.h"
#include "model/limits.h"
#include "policy/settings/setting_values.h"

namespace cede {

JobSink::JobSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kJobFields),
      edit_(edit),
      task_(reading, edit),
      tasks_(reading, *this),
      checkpoint_(reading, *this),
      max_(reading, edit, true),
      settings_(reading, SettingHolder::job),
      require_(reading, edit) {}

ValueSink* JobSink::start() {
  ObjectSink::start();
  draft_.core = {};
  draft_.times = {};
  draft_.state_times = {};
  draft_.owners = {};
  draft_.checkpoint = {};
  draft_.extras = {};
  draft_.queue = draft_.group = kNoName;
  draft_.tasks.clear();
  site_.clear();
  return this;
}

void JobSink::scalar(const Scalar& value) {
  InternTable& names = edit_.model().names;
  JobCore& core = draft_.core;
  JobTimes& times = draft_.times;
  JobStateTimes& state_times = draft_.state_times;
  JobOwners& owners = draft_.owners;
  JobExtras& extras = draft_.extras;
  switch (field()) {
    case JobField::id: return reading_.read_name(value, edit_.model().job_names, core.name);
    case JobField::queue: return reading_.read_name(value, names, draft_.queue);
    case JobField::group: return reading_.read_name(value, names, draft_.group);
    case JobField::app: return reading_.read_name(value, names, owners.app);
    case JobField::user: return reading_.read_name(value, names, owners.user);
    case JobField::project: return reading_.read_name(value, names, owners.project);
    case JobField::tenant: return reading_.read_name(value, names, owners.tenant);
    case JobField::kind: return reading_.read_word(value, spec(), core.kind);
    case JobField::state: return reading_.read_word(value, spec(), core.state);
    case JobField::priority:
      if (value.is_null()) return;
      core.has_priority = true;
      return reading_.read_integer(value, spec(), core.priority);
    case JobField::job_class: return reading_.read_integer(value, spec(), core.job_class);
    case JobField::gang: return reading_.read(value, core.gang);
    case JobField::min_tasks: return reading_.read_integer(value, spec(), extras.min_tasks);
    case JobField::submitted: return reading_.read_time(value, times.submitted);
    case JobField::waiting_since: return reading_.read_time(value, state_times.waiting_since);
    case JobField::started: return reading_.read_time(value, times.started);
    case JobField::resumed: return reading_.read_time(value, state_times.resumed);
    case JobField::walltime: return reading_.read_duration(value, times.walltime);
    case JobField::below_fair_share_since:
      return reading_.read_time(value, state_times.below_fair_share_since);
    case JobField::preemptible: return read_preemptible(reading_, value, core.preemptible);
    case JobField::may_preempt: return reading_.read(value, core.may_preempt);
    case JobField::value: return reading_.read_decimal(value, spec(), extras.value);
    case JobField::preempted_count: return reading_.read_integer(value, spec(), extras.preempted_count);
    case JobField::resume: return reading_.read(value, core.resume);
    case JobField::interruptible: return reading_.read(value, core.interruptible);
    case JobField::fair_share: return reading_.read_decimal(value, spec(), extras.fair_share);
    case JobField::tasks: return reading_.fail_type("a list of tasks", value);
    case JobField::checkpoint:
    case JobField::max:
    case JobField::settings:
    case JobField::require:
      if (!value.is_null()) reading_.fail_type("an object", value);
  }
}

ValueSink* JobSink::object() {
  switch (field()) {
    case JobField::checkpoint: return checkpoint_.start();
    case JobField::max: return max_.start(draft_.extras.max);
    case JobField::settings: return settings_.start(values_, site_);
    case JobField::require: return require_.start(draft_.extras.require);
    default: return ObjectSink::object();
  }
}

ValueSink* JobSink::array() { return field() == JobField::tasks ? &tasks_ : ObjectSink::array(); }

void JobSink::end() {
  require_fields();
  if (draft_.core.name == kNoName || draft_.queue == kNoName) return edit_.skip(Kind::job);
  Model& model = edit_.model();
  if (saw(JobField::settings)) {
    draft_.extras.settings = model.blobs.intern(encode_settings(values_));
    values_ = {};
  }
  if (!site_.empty()) draft_.extras.site = model.blobs.intern(site_);
  edit_.put(draft_);
}

JobSink::CheckpointSink::CheckpointSink(Reading& reading, JobSink& owner)
    : ObjectSink(reading, kCheckpointFields), owner_(owner) {}

ValueSink* JobSink::CheckpointSink::start() {
  ObjectSink::start();
  return this;
}

void JobSink::CheckpointSink::scalar(const Scalar& value) {
  JobCheckpoint& checkpoint = owner_.draft_.checkpoint;
  switch (field()) {
    case CheckpointField::mode: return reading_.read_word(value, spec(), checkpoint.mode);
    case CheckpointField::last: return reading_.read_time(value, checkpoint.last);
    case CheckpointField::estimate: return reading_.read_duration(value, checkpoint.estimate);
    case CheckpointField::timeout: return reading_.read_duration(value, checkpoint.timeout);
    case CheckpointField::restart: return reading_.read_duration(value, checkpoint.restart);
    case CheckpointField::via: return reading_.read_word(value, spec(), checkpoint.via);
  }
}

void read_preemptible(Reading& reading, const Scalar& value, Preemptible& out) {
  if (value.is_null()) return;
  if (value.kind == Scalar::Kind::boolean) {
    out = value.flag ? Preemptible::yes : Preemptible::no;
  } else if (value.kind == Scalar::Kind::text && value.text == "last-resort") {
    out = Preemptible::last_resort;
  } else {
    reading.fail_type("true, false or 'last-resort'", value);
  }
}

TaskSink::TaskSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kTaskFields),
      edit_(edit),
      resources_(reading, edit, false),
      gpus_(reading, *this) {}

ValueSink* TaskSink::start(std::vector<TaskDraft>& out) {
  ObjectSink::start();
  out_ = &out;
  out_->emplace_back();
  site_.clear();
  shares_.clear();
  return this;
}

void TaskSink::scalar(const Scalar& value) {
  TaskDraft& task = draft();
  InternTable& names = edit_.model().names;
  switch (field()) {
    case TaskField::id: return reading_.read_name(value, edit_.model().job_names, task.extras.name);
    case TaskField::node: return reading_.read_name(value, names, task.node);
    case TaskField::required_node: return reading_.read_name(value, names, task.extras.required_node);
    case TaskField::started: return reading_.read_time(value, task.extras.started);
    case TaskField::priority:
      if (value.is_null()) return;
      task.extras.has_priority = true;
      return reading_.read_integer(value, spec(), task.extras.priority);
    case TaskField::originator: return reading_.read(value, task.extras.originator);
    case TaskField::preemptible: return read_preemptible(reading_, value, task.extras.preemptible);
    case TaskField::may_preempt: return reading_.read(value, task.extras.may_preempt);
    case TaskField::count: return read_count(value, task.core);
    case TaskField::gpus:
      if (!value.is_null()) reading_.fail_type("a list of devices", value);
      return;
    case TaskField::resources:
      if (!value.is_null()) reading_.fail_type("an object of amounts", value);
  }
}

void TaskSink::read_count(const Scalar& value, TaskCore& core) {
  if (value.is_null()) return;
  std::uint32_t count = core.count;
  reading_.read_integer(value, 1, static_cast<std::int64_t>(edit_.limits().max_tasks_per_job), count);
  core.count = count & kMaxTaskCount;
  core.counted = true;
}

ValueSink* TaskSink::object() {
  return field() == TaskField::resources ? resources_.start(draft().core.resources) : ObjectSink::object();
}

ValueSink* TaskSink::array() { return field() == TaskField::gpus ? gpus_.start_list() : ObjectSink::array(); }

void TaskSink::end() {
  Model& model = edit_.model();
  if (!shares_.empty()) {
    std::sort(shares_.begin(), shares_.end(),
              [](const DeviceShare& a, const DeviceShare& b) { return a.device < b.device; });
    draft().extras.shares =
        model.blobs.intern({static_cast<const char*>(static_cast<const void*>(shares_.data())),
                            shares_.size() * sizeof(DeviceShare)});
  }
  if (!site_.empty()) draft().extras.site = model.blobs.intern(site_);
}

TaskSink::GpusSink::GpusSink(Reading& reading, TaskSink& owner)
    : ObjectSink(reading, kShareFields), owner_(owner), list_(reading, *this) {}

ValueSink* TaskSink::GpusSink::start_list() {
  owner_.draft().core.gpus_given = true;
  return &list_;
}

void TaskSink::GpusSink::ListSink::scalar(const Scalar& value) {
  if (value.is_null()) return reading_.fail_type("a device", value);
  std::int64_t device = -1;
  reading_.read_integer(value, 0, kMaxDevices - 1, device);
  owner_.take(device, kOne);
}

ValueSink* TaskSink::GpusSink::ListSink::object() {
  owner_.ObjectSink::start();
  owner_.site_.clear();
  owner_.index_ = -1;
  owner_.share_ = -1;
  return &owner_;
}

void TaskSink::GpusSink::scalar(const Scalar& value) {
  if (field() == ShareField::index) return reading_.read_integer(value, spec(), index_);
  Amount share = share_;
  reading_.read_amount(value, share);  // exact: a share is part of the amount that the task holds
  share_ = share;
  if (share_ > spec().max) {
    reading_.fail(format_amount(share_) + " is more than the whole device");
    share_ = -1;
  }
  if (share_ == 0) reading_.fail_zero(spec());
}

void TaskSink::GpusSink::end() {
  require_fields();
  if (share_ > 0) take(index_, share_);
  move_site_fields(site_, "gpus/" + std::to_string(index_) + '/', owner_.site_);
}

void TaskSink::GpusSink::take(std::int64_t device, std::int64_t share) {
  if (device < 0) return;
  DeviceMask& whole = owner_.draft().core.gpus;
  const DeviceMask bit = DeviceMask{1} << device;
  const bool shared = std::any_of(owner_.shares_.begin(), owner_.shares_.end(), [&](const DeviceShare& s) {
    return s.device == static_cast<std::uint32_t>(device);
  });
  if ((whole & bit) != 0 || shared)
    return reading_.fail("device " + std::to_string(device) + " is listed twice");
  if (share == kOne) {
    whole |= bit;
  } else {
    owner_.shares_.push_back({static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(share)});
  }
}

}  // namespace cede
