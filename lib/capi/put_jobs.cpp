// SPDX-License-Identifier: MIT
// The arrays of jobs and tasks.
#include <array>

#include "base/text.h"
#include "capi/array_in.h"
#include "engine/array_edit.h"
#include "model/limits.h"

using cede::ArrayEdit;
using cede::JobDraft;
using cede::Kind;
using cede::kNoName;
using cede::OptionalFlag;
using cede::PartKind;
using cede::Problems;
using cede::TaskDraft;
using cede::capi::ArrayIn;
using cede::capi::done;
using cede::capi::guard;
using cede::capi::is_of_today;
using cede::capi::limit_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::use_field_names;

namespace {

constexpr uint32_t kJobZeroes =
    CEDE_ZERO_PRIORITY | CEDE_ZERO_CLASS | CEDE_ZERO_VALUE | CEDE_ZERO_FAIR_SHARE | CEDE_ZERO_SUBMITTED |
    CEDE_ZERO_WAITING_SINCE | CEDE_ZERO_STARTED | CEDE_ZERO_RESUMED | CEDE_ZERO_WALLTIME |
    CEDE_ZERO_BELOW_FAIR_SHARE | CEDE_ZERO_CHECKPOINT_LAST | CEDE_ZERO_CHECKPOINT_ESTIMATE |
    CEDE_ZERO_CHECKPOINT_TIMEOUT | CEDE_ZERO_CHECKPOINT_RESTART;
constexpr uint32_t kTaskZeroes = CEDE_ZERO_PRIORITY | CEDE_ZERO_STARTED | CEDE_ZERO_GPUS;

void read_times(ArrayEdit& arrays, const cede_job& from, cede::JobTimes& times) {
  const auto zero = [&](uint32_t bit) { return (from.zero & bit) != 0; };
  times.submitted = arrays.time(from.submitted, zero(CEDE_ZERO_SUBMITTED), "submitted");
  times.started = arrays.time(from.started, zero(CEDE_ZERO_STARTED), "started");
  times.walltime = arrays.duration(from.walltime, zero(CEDE_ZERO_WALLTIME), "walltime");
}

// Most jobs give none of the rare fields; read_state_times(), read_flags() and read_extras() check that
// first.

void read_state_times(ArrayEdit& arrays, const cede_job& from, cede::JobStateTimes& state_times) {
  const auto zero = [&](uint32_t bit) { return (from.zero & bit) != 0; };
  state_times = {};
  if ((from.waiting_since | from.resumed | from.below_fair_share_since) == 0 &&
      !zero(CEDE_ZERO_WAITING_SINCE | CEDE_ZERO_RESUMED | CEDE_ZERO_BELOW_FAIR_SHARE))
    return;
  state_times.waiting_since = arrays.time(from.waiting_since, zero(CEDE_ZERO_WAITING_SINCE), "waiting_since");
  state_times.resumed = arrays.time(from.resumed, zero(CEDE_ZERO_RESUMED), "resumed");
  state_times.below_fair_share_since =
      arrays.time(from.below_fair_share_since, zero(CEDE_ZERO_BELOW_FAIR_SHARE), "below_fair_share_since");
}

void read_checkpoint(ArrayEdit& arrays, const cede_job& from, cede::JobCheckpoint& checkpoint) {
  const auto zero = [&](uint32_t bit) { return (from.zero & bit) != 0; };
  checkpoint.last = arrays.time(from.checkpoint_last, zero(CEDE_ZERO_CHECKPOINT_LAST), "checkpoint.last");
  checkpoint.estimate =
      arrays.duration(from.checkpoint_estimate, zero(CEDE_ZERO_CHECKPOINT_ESTIMATE), "checkpoint.estimate");
  checkpoint.timeout =
      arrays.duration(from.checkpoint_timeout, zero(CEDE_ZERO_CHECKPOINT_TIMEOUT), "checkpoint.timeout");
  checkpoint.restart =
      arrays.duration(from.checkpoint_restart, zero(CEDE_ZERO_CHECKPOINT_RESTART), "checkpoint.restart");
  checkpoint.mode = arrays.word(from.checkpoint_mode, cede::kCheckpointModes, cede::CheckpointMode::absent,
                                "checkpoint.mode");
  checkpoint.via =
      arrays.word(from.checkpoint_via, cede::kCheckpointVias, cede::CheckpointVia::absent, "checkpoint.via");
}

void read_flags(ArrayEdit& arrays, const cede_job& from, cede::JobCore& core) {
  if ((from.gang | from.preemptible | from.may_preempt | from.resume | from.interruptible) == 0) return;
  core.gang = arrays.flag(from.gang, "gang");
  core.preemptible = arrays.preemptible(from.preemptible, "preemptible");
  core.may_preempt = arrays.flag(from.may_preempt, "may_preempt");
  core.resume = arrays.flag(from.resume, "resume") == OptionalFlag::yes;
  core.interruptible = arrays.flag(from.interruptible, "interruptible") == OptionalFlag::yes;
}

void read_extras(ArrayEdit& arrays, const cede_job& from, cede::JobExtras& extras) {
  extras = {};
  if ((from.max | from.settings | from.require | from.min_tasks | from.preempted_count) == 0 &&
      (from.value | from.fair_share) == 0 && (from.zero & (CEDE_ZERO_VALUE | CEDE_ZERO_FAIR_SHARE)) == 0)
    return;
  extras.max = arrays.shape(from.max, true, "max");
  extras.settings = arrays.bytes(PartKind::job_settings, from.settings, "settings");
  extras.require = arrays.requirement(from.require, "require");
  extras.value = arrays.number(from.value, (from.zero & CEDE_ZERO_VALUE) != 0, 0, cede::kMaxValue,
                               extras.value, "value");
  extras.fair_share = arrays.number(from.fair_share, (from.zero & CEDE_ZERO_FAIR_SHARE) != 0, 0,
                                    cede::kWholeShare, extras.fair_share, "fair_share");
  extras.min_tasks =
      arrays.number(from.min_tasks, false, 1, cede::kMaxMinTasks, extras.min_tasks, "min_tasks");
  extras.preempted_count = arrays.number(from.preempted_count, false, 0, cede::kMaxPreemptedCount,
                                         extras.preempted_count, "preempted_count");
}

void read_core(ArrayEdit& arrays, const cede_job& from, cede::JobCore& core) {
  core = {};
  core.name = arrays.job_name(from.name, "id");
  core.has_priority = from.priority != 0 || (from.zero & CEDE_ZERO_PRIORITY) != 0;
  core.priority = from.priority;
  core.kind = arrays.word(from.kind, cede::kJobKinds, cede::JobKind::absent, "kind");
  core.state = arrays.word(from.state, cede::kJobStates, cede::JobState::pending, "state");
  core.job_class = arrays.number(from.job_class, (from.zero & CEDE_ZERO_CLASS) != 0, 0, cede::kMaxClass,
                                 cede::kNoClass, "class");
  read_flags(arrays, from, core);
}

void read_job(ArrayEdit& arrays, const cede_job& from, JobDraft& draft) {
  is_of_today(arrays, from.reserved, from.zero, kJobZeroes);
  read_core(arrays, from, draft.core);
  draft.queue = arrays.name(from.queue, "queue");
  draft.group = arrays.name(from.group, "group");
  draft.owners = {arrays.name(from.app, "app"), arrays.name(from.user, "user"),
                  arrays.name(from.project, "project"), arrays.name(from.tenant, "tenant")};
  read_times(arrays, from, draft.times);
  read_state_times(arrays, from, draft.state_times);
  read_checkpoint(arrays, from, draft.checkpoint);
  read_extras(arrays, from, draft.extras);
  draft.tasks.clear();
}

void read_share(ArrayEdit& arrays, const cede_task& from, TaskDraft& draft) {
  if (from.share == 0 && from.share_device == 0) return;
  const auto part = arrays.number<uint32_t>(from.share, true, 1, cede::kOne - 1, 0, "gpus.share");
  const auto device = arrays.number<uint32_t>(from.share_device, true, 0, cede::kMaxDevices - 1,
                                              cede::kMaxDevices, "gpus.index");
  if (part == 0 || device == cede::kMaxDevices) return;
  if ((from.gpus >> device & 1) != 0)
    return arrays.fail("gpus", "device " + std::to_string(device) + " is listed twice");
  draft.extras.shares = arrays.share_of_device({device, part});
}

void read_task_extras(ArrayEdit& arrays, const cede_task& from, TaskDraft& draft) {
  cede::TaskExtras& extras = draft.extras;
  extras.name = arrays.job_name(from.name, "id");
  extras.required_node = arrays.name(from.required_node, "required_node");
  extras.started = arrays.time(from.started, (from.zero & CEDE_ZERO_STARTED) != 0, "started");
  extras.has_priority = from.priority != 0 || (from.zero & CEDE_ZERO_PRIORITY) != 0;
  extras.priority = from.priority;
  extras.preemptible = arrays.preemptible(from.preemptible, "preemptible");
  extras.may_preempt = arrays.flag(from.may_preempt, "may_preempt");
  extras.originator = arrays.flag(from.originator, "originator") == OptionalFlag::yes;
  read_share(arrays, from, draft);
}

// Fields that are laid out and have no effect yet.
void refuse_later_fields(ArrayEdit& arrays, const cede_task& from) {
  const auto refuse = [&](const char* member, bool given) {
    if (given) arrays.fail(member, "not available in this version of the library", cede::Status::version);
  };
  refuse("only_nodes", from.only_nodes != 0);
  refuse("avoid_nodes", from.avoid_nodes != 0);
  refuse("leaving", from.leaving != 0);
  refuse("leaving_until", from.leaving_until != 0 || (from.zero & CEDE_ZERO_LEAVING_UNTIL) != 0);
}

// The draft must be empty.
void read_task(ArrayEdit& arrays, const cede_task& from, TaskDraft& draft) {
  is_of_today(arrays, 0, from.zero, kTaskZeroes | CEDE_ZERO_LEAVING_UNTIL);
  if ((from.only_nodes | from.avoid_nodes) != 0 || from.leaving != 0 || from.leaving_until != 0 ||
      (from.zero & CEDE_ZERO_LEAVING_UNTIL) != 0)
    refuse_later_fields(arrays, from);
  draft.node = arrays.name(from.node, "node");
  draft.core.resources = arrays.shape(from.resources, false, "resources");
  draft.gpu = arrays.gpu_of(from.resources);
  draft.core.gpus = from.gpus;
  const auto most = static_cast<int64_t>(arrays.edit().limits().max_tasks_per_job);
  draft.core.count = arrays.number(from.count, false, 1, most, 1U, "count") & cede::kMaxTaskCount;
  draft.core.counted = from.count != 0;
  draft.core.gpus_given = from.gpus != 0 || from.share != 0 || (from.zero & CEDE_ZERO_GPUS) != 0;
  if ((from.name | from.required_node | from.share | from.share_device) == 0 &&
      (from.priority | from.preemptible | from.may_preempt | from.originator) == 0 && from.started == 0 &&
      (from.zero & (CEDE_ZERO_PRIORITY | CEDE_ZERO_STARTED)) == 0)
    return;
  read_task_extras(arrays, from, draft);
}

// Reads jobs with their tasks, one after the other.
class JobReader {
 public:
  JobReader(ArrayEdit& arrays, const ArrayIn<cede_job>& jobs, const ArrayIn<cede_task>& tasks)
      : arrays_(arrays), jobs_(jobs), tasks_(tasks) {}

  bool next(JobDraft& draft) {
    if (job_ >= jobs_.size() || too_few_ || arrays_.problems().full()) return false;
    const cede_job& from = jobs_.look(job_, job_room_);
    arrays_.at("jobs", job_);
    read_job(arrays_, from, draft);
    too_few_ = from.task_count > tasks_.size() - task_;
    if (too_few_) return false;
    ++job_;
    if (from.task_count > 0 && task_ >= expected_) expect_nodes();
    for (uint32_t k = 0; k < from.task_count; ++k) {
      arrays_.at_task(k);
      read_task(arrays_, tasks_.look(task_ + k, task_room_), draft.tasks.emplace_back());
    }
    arrays_.leave_task();
    task_ += from.task_count;
    if (draft.core.name == kNoName) arrays_.fail("id", "missing");
    if (draft.queue == kNoName) arrays_.fail("queue", "missing; the name of a queue is wanted");
    return true;
  }

  // After all jobs are read: a mismatch between the two arrays; empty if there is none.
  std::string fault() const {
    const std::string left = std::to_string(tasks_.size() - task_);
    if (too_few_) {
      const uint32_t count = jobs_[job_].task_count;
      return "jobs[" + std::to_string(job_) + "].task_count: " + std::to_string(count) +
             " is more than the " + left + " entries of tasks that are left";
    }
    const bool one = tasks_.size() - task_ == 1;
    return task_ < tasks_.size() ? "tasks: " + left + (one ? " entry is" : " entries are") + " no job's" : "";
  }

 private:
  // Looks up the nodes of many tasks at once.
  void expect_nodes() {
    std::array<uint32_t, 64> nodes;
    const size_t some = std::min(nodes.size(), tasks_.size() - task_);
    for (size_t k = 0; k < some; ++k) nodes[k] = tasks_.look(task_ + k, task_room_).node;
    arrays_.expect_names({nodes.data(), some});
    expected_ = task_ + some;
  }

  ArrayEdit& arrays_;
  const ArrayIn<cede_job>& jobs_;
  const ArrayIn<cede_task>& tasks_;
  cede_job job_room_;
  cede_task task_room_;
  size_t job_ = 0;
  size_t task_ = 0;
  size_t expected_ = 0;  // nodes are looked up for tasks before this index
  bool too_few_ = false;
};

int32_t put_jobs(cede_engine* engine, const ArrayIn<cede_job>& jobs, const ArrayIn<cede_task>& tasks,
                 cede::WorkerPool* workers, bool& helped, cede_error* error) {
  Problems problems = engine->engine.new_problems();
  ArrayEdit arrays = engine->engine.edit_arrays(problems);
  arrays.expect(tasks.size());
  arrays.edit().expect_jobs(jobs.size(), tasks.size());
  JobReader reader(arrays, jobs, tasks);
  helped = cede::JobPipeline(arrays, workers).run(jobs.size(), [&](JobDraft& draft) {
    return reader.next(draft);
  });
  if (const std::string fault = reader.fault(); !fault.empty() && !problems.full())
    return missing(error, fault);
  const bool taken = engine->engine.take(arrays);
  use_field_names(problems);
  return taken ? done(error, problems) : tell(error, problems);
}

}  // namespace

int32_t cede_engine_put_jobs(cede_engine* engine, const cede_job* jobs, size_t job_size, size_t job_count,
                             const cede_task* tasks, size_t task_size, size_t task_count, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    const ArrayIn<cede_job> in(jobs, job_size, job_count);
    const ArrayIn<cede_task> tasks_in(tasks, task_size, task_count);
    const cede::Limits& limits = engine->engine.options().limits;
    if (const int32_t status = limit_fault(job_count, limits.max_jobs, "jobs", "max_jobs", error))
      return status;
    if (const int32_t status = limit_fault(task_count, limits.max_tasks, "tasks", "max_tasks", error))
      return status;
    if (const int32_t status = in.fault("job", "jobs", error)) return status;
    if (const int32_t status = tasks_in.fault("task", "tasks", error)) return status;
    bool helped = false;
    const int32_t status = put_jobs(engine, in, tasks_in, engine->engine.workers(), helped, error);
    // Problems must come in the order of the array. After a parallel run that failed, put the jobs again in
    // one thread.
    return status < 0 && helped ? put_jobs(engine, in, tasks_in, nullptr, helped, error) : status;
  });
}

namespace {

// One change of single tasks: `take` passes each element and its job's name to the TaskEdit.
template <class Struct, class Take>
int32_t edit_tasks(cede_engine* engine, const ArrayIn<Struct>& in, cede_error* error, Take take) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (const int32_t status = in.fault("task", "tasks", error)) return status;
    Problems problems = engine->engine.new_problems();
    ArrayEdit arrays = engine->engine.edit_arrays(problems);
    cede::TaskEdit edit(arrays);
    for (size_t i = 0; i < in.size() && !problems.full(); ++i) {
      const Struct from = in[i];
      arrays.at("tasks", i);
      if (from.job == 0) {
        arrays.fail("job", "missing; the name of a job is wanted");
        continue;
      }
      const std::string_view job = arrays.text(from.job, "job");
      if (!job.empty()) take(arrays, edit, job, from, i);
    }
    if (!problems.failed()) edit.finish();
    if (engine->engine.take(arrays)) return done(error, problems);
    edit.rename_places(problems);
    use_field_names(problems);
    return tell(error, problems);
  });
}

}  // namespace

int32_t cede_engine_put_tasks(cede_engine* engine, const cede_task* tasks, size_t task_size,
                              size_t task_count, cede_error* error) {
  return edit_tasks(
      engine, ArrayIn<cede_task>(tasks, task_size, task_count), error,
      [](ArrayEdit& arrays, cede::TaskEdit& edit, std::string_view job, const cede_task& from, size_t i) {
        TaskDraft draft;
        read_task(arrays, from, draft);
        edit.put(job, draft, i);
      });
}

int32_t cede_engine_remove_tasks(cede_engine* engine, const cede_task_name* tasks, size_t task_size,
                                 size_t task_count, cede_error* error) {
  return edit_tasks(engine, ArrayIn<cede_task_name>(tasks, task_size, task_count), error,
                    [](ArrayEdit& arrays, cede::TaskEdit& edit, std::string_view job,
                       const cede_task_name& from, size_t i) {
                      if (from.task == 0) return arrays.fail("task", "missing");
                      const std::string_view task = arrays.text(from.task, "task");
                      if (!task.empty()) edit.remove(job, task, i);
                    });
}
