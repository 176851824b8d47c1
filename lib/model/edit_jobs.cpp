// SPDX-License-Identifier: MIT
// Putting, resolving and checking jobs and their tasks.
#include <algorithm>

#include "base/bits.h"
#include "base/text.h"
#include "model/edit.h"
#include "model/edit_place.h"

namespace cede {

void ModelEdit::put(JobDraft& draft) {
  if (jobs_.size() == kManyJobs) expect_many();
  if (one_list_ && !model_.jobs.find(draft.core.name) && prepare_new(draft, model_.jobs.live())) {
    const JobId next = NamedTable<JobId, JobCore>::NextIds(model_.jobs).take();
    place_tasks(draft, next);
    return add_new(next, draft);
  }
  unusual_.push_back(jobs_.size());
  if (draft.tasks.size() != 1 || draft.tasks.front().extras.name != kNoName) check_task_names(draft);
  const JobId id = place(model_.jobs, draft.core.name, Kind::job, jobs_, limits_.max_jobs, "max_jobs");
  if (!id) return;
  references_.resize(one_list_ ? 1 : jobs_.size());
  JobReferences& references = references_.back();
  references = {draft.queue, draft.group};
  const auto rows = static_cast<std::uint32_t>(draft.tasks.size());
  if (model_.jobs[id].task_rows > 0) {  // it was there
    references.kept = keeps_tasks(id, draft);
    if (!references.kept) detach(id);
  }
  const std::size_t bound = model_.jobs.id_bound();
  if (model_.job_times.size() < bound) model_.job_times.grow_to(bound);
  if (!references.kept && model_.tasks.live() + rows > limits_.max_tasks) {
    fail_limit(at(Kind::job, jobs_.size() - 1, "tasks"), "max_tasks", limits_.max_tasks);
    jobs_.back().id = {};
    return;
  }
  if (one_list_) names_.clear();  // resolved below, and not asked for again
  references.nodes = static_cast<std::uint32_t>(names_.size());
  for (const TaskDraft& task : draft.tasks) names_.push_back(task.node);

  JobCore& core = model_.jobs.edit(id);
  JobCore& next = draft.core;
  next.stamp = core.stamp;
  next.queue = core.queue;
  next.group = core.group;
  next.task_rows = rows;
  next.first_task = core.first_task;
  core = next;
  if (!references.kept) put_tasks(id, core, draft);
  set_times(id, draft.times);
  set_rare(id, draft);
  if (one_list_) resolve_job(jobs_.size() - 1, references);
}

// Whether a job that is put again has the tasks it had. Most changes are of a priority or a time, and then
// the rows of its tasks, of those beside them and of their nodes need not be written to.
bool ModelEdit::keeps_tasks(JobId id, const JobDraft& draft) const {
  const JobCore& job = model_.jobs[id];
  if (job.task_rows == 0 || job.task_rows != draft.tasks.size()) return false;
  if (draft.group != kNoName && draft.group != model_.groups[job.group].name) return false;
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const TaskId row{job.first_task.value + k};
    const TaskCore& held = model_.tasks.core(row);
    const TaskDraft& next = draft.tasks[k];
    const NameId node = held.node ? model_.nodes[held.node].name : kNoName;
    if (node != next.node || held.resources != next.core.resources || held.gpus != next.core.gpus ||
        held.count != next.core.count || held.counted != next.core.counted ||
        held.gpus_given != next.core.gpus_given || model_.tasks.extras(row) != next.extras)
      return false;
  }
  return true;
}

void ModelEdit::put_tasks(JobId id, JobCore& job, const JobDraft& draft) {
  job.first_task = model_.tasks.allocate(job.task_rows);
  for (std::uint32_t i = 0; i < job.task_rows; ++i) {
    const TaskDraft& task = draft.tasks[i];
    const TaskId row{job.first_task.value + i};
    TaskCore& core = model_.tasks.edit_core(row);
    core = task.core;
    core.job = id;
    core.node = {};
    shape_owners_.count(task.core.resources);
    if (task.extras == TaskExtras{}) continue;  // as fresh rows are
    model_.tasks.set_extras(row, task.extras);
    model_.names.retain(task.extras.name);
    model_.names.retain(task.extras.required_node);
    model_.blobs.retain(task.extras.shares);
    model_.blobs.retain(task.extras.site);
  }
}

// Where only `now` is left to be taken for `submitted`, check_job() does that once it is known.
void ModelEdit::set_times(JobId id, JobTimes times) {
  if (times.submitted == kNoTime) times.submitted = times.started;
  const JobTimes& held = model_.job_times[id.value];
  if (held != times) model_.job_times.edit(id.value) = times;
}

void ModelEdit::expect_many() {
  queue_jobs_.gather();
  group_jobs_.gather();
  shape_owners_.gather();
  name_owners_.gather();
  if (one_list_) fresh_nodes_.resize(model_.nodes.id_bound());
}

// What jobs that are put own of what is counted in few places.
void ModelEdit::hand_on_counts() {
  queue_jobs_.hand_on(
      [&](std::uint32_t queue, std::uint32_t more) { model_.queues.edit(QueueId{queue}).jobs += more; });
  group_jobs_.hand_on(
      [&](std::uint32_t group, std::uint32_t more) { model_.groups.edit(GroupId{group}).jobs += more; });
  shape_owners_.hand_on([&](ShapeId shape, std::uint32_t more) { model_.shapes.retain(shape, more); });
  name_owners_.hand_on([&](NameId name, std::uint32_t more) { model_.names.retain(name, more); });
}

// A job's owners are mostly those of others too.
void ModelEdit::set_owners(JobId id, const JobOwners& next) {
  for (const NameId name : {next.app, next.user, next.project, next.tenant}) {
    if (name != kNoName) name_owners_.count(name);
  }
  model_.job_owners.set(id.value, next);
}

// What most jobs say nothing about; what it names is held as long as it stands there.
void ModelEdit::set_rare(JobId id, const JobDraft& draft) {
  if (const JobOwners& held = model_.job_owners[id.value]; held != draft.owners) {
    for (const NameId name : {held.app, held.user, held.project, held.tenant}) give_up(model_.names, name);
    set_owners(id, draft.owners);
  }
  model_.job_spells.set(id.value, draft.spells);
  model_.job_checkpoints.set(id.value, draft.checkpoint);

  const JobExtras& next = draft.extras;
  if (model_.job_extras[id.value] == next) return;
  JobExtras held = model_.job_extras[id.value];
  move_shape(held.max, next.max);
  move_blob(held.settings, next.settings);
  move_blob(held.site, next.site);
  if (next.require) model_.requirement_keys.retain(next.require.value);
  if (held.require) give_up(model_.requirement_keys, held.require.value);
  model_.job_extras.set(id.value, next);
}

// Takes a job's tasks off their nodes and gives up what they hold; its own row stays.
void ModelEdit::detach(JobId id) {
  const JobCore& job = model_.jobs[id];
  for (std::uint32_t i = 0; i < job.task_rows; ++i) {
    const TaskId task{job.first_task.value + i};
    const TaskCore core = model_.tasks.core(task);
    const TaskExtras extras = model_.tasks.extras(task);
    if (core.node) {
      if (core.previous_on_node) {
        model_.tasks.edit_core(core.previous_on_node).next_on_node = core.next_on_node;
      } else {
        model_.nodes.edit(core.node).first_task = core.next_on_node;
      }
      if (core.next_on_node)
        model_.tasks.edit_core(core.next_on_node).previous_on_node = core.previous_on_node;
      --model_.nodes.edit(core.node).tasks;
    }
    if (const NodeId required = model_.nodes.find(extras.required_node))
      --model_.nodes.edit(required).required_by;
    give_up(model_.shapes, core.resources);
    give_up(model_.names, extras.name);
    give_up(model_.names, extras.required_node);
    give_up(model_.blobs, extras.shares);
    give_up(model_.blobs, extras.site);
  }
  model_.tasks.free(job.first_task, job.task_rows);
  JobCore& row = model_.jobs.edit(id);
  if (row.queue) --model_.queues.edit(row.queue).jobs;
  if (row.group) --model_.groups.edit(row.group).jobs;
  row.queue = {};
  row.group = {};
  row.first_task = {};
  row.task_rows = 0;
}

// Removes a job with all it refers to.
void ModelEdit::forget(JobId id) {
  detach(id);
  set_rare(id, JobDraft{});
  const NameId name = model_.jobs[id].name;
  model_.jobs.remove(id);
  give_up(model_.job_names, name);
}

void ModelEdit::resolve_jobs() {
  if (one_list_) return;  // done as they were put
  for (std::size_t i = 0; i < references_.size() && !problems_.full(); ++i) resolve_job(i, references_[i]);
}

QueueId ModelEdit::queue_called(NameId name, std::size_t index) {
  const QueueId queue = model_.queues.find(name);
  return queue ? queue : resolve(model_.queues, name, Kind::queue, at(Kind::job, index, "queue"));
}

// None where it is nobody's, or none was named and there are several.
GroupId ModelEdit::find_group(NameId name) {
  if (name != kNoName) {
    last_group_name_ = name;
    return last_group_ = model_.groups.find(name);
  }
  if (!only_group_ && model_.groups.live() == 1)
    model_.groups.for_each([&](GroupId id, const GroupRow&) { only_group_ = id; });
  return only_group_;
}

GroupId ModelEdit::group_called(NameId name, std::size_t index) {
  const GroupId group = known_group(name);
  return group ? group : resolve_group(name, at(Kind::job, index, "group"));
}

void ModelEdit::resolve_job(std::size_t index, const JobReferences& references) {
  const JobId id = jobs_[index].id;
  if (!id) return;
  JobCore& job = model_.jobs.edit(id);
  if (const QueueId queue = queue_called(references.queue, index); queue != job.queue) {
    if (job.queue) --model_.queues.edit(job.queue).jobs;
    if (queue) queue_jobs_.count(queue.value);
    job.queue = queue;
  }
  if (const GroupId group = group_called(references.group, index); group != job.group) {
    if (job.group) --model_.groups.edit(job.group).jobs;
    if (group) group_jobs_.count(group.value);
    job.group = group;
  }
  bool placed = false;
  bool waiting = false;
  std::uint64_t tasks = 0;
  const bool unstarted = job.state == JobState::running && model_.job_times[id.value].started == kNoTime;
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const TaskAt at{index, k, TaskId{job.first_task.value + k}};
    const NameId node = names_[references.nodes + k];
    const bool runs = node != kNoName;
    (runs ? placed : waiting) = true;
    if (runs && unstarted) check_started(at);
    if (references.kept) {
      tasks += model_.tasks.core(at.id).count;
      continue;
    }
    TaskCore& task = model_.tasks.edit_core(at.id);
    tasks += task.count;
    if (runs) attach(at, node, job, task);
    check_task(at, task, runs);
  }
  check_job(index, job, tasks, placed, waiting);
}

Path ModelEdit::path_to(const TaskAt& task, std::string_view member) const {
  Path path = at(Kind::job, task.job, "tasks");
  path.push_back(PathStep::element(task.position));
  path.push_back(PathStep::member(member));
  return path;
}

// Puts a task on its node, first of those there.
void ModelEdit::attach(const TaskAt& at, NameId name, const JobCore& job, const TaskCore& task) {
  const NodeId node = model_.nodes.find(name);
  if (!node) {
    resolve(model_.nodes, name, Kind::node, path_to(at, "node"));
    return;
  }
  const NodeRow& row = model_.nodes[node];
  if (job.group && row.group && row.group != job.group) {
    return fail(path_to(at, "node"), quote(model_.name(name)) + " is in group " +
                                         quote(model_.name(model_.groups[row.group].name)) +
                                         ", the job is in " +
                                         quote(model_.name(model_.groups[job.group].name)));
  }
  TaskCore placed = task;
  link(at.id, placed, node);
  if (!fresh_nodes_.empty()) fresh_nodes_[node.value].state = FreshNode::State::other;
  touch(node);
}

void ModelEdit::check_job(std::size_t index, const JobCore& job, std::uint64_t tasks, bool placed,
                          bool waiting) {
  const JobId id = jobs_[index].id;
  if (tasks > limits_.max_tasks_per_job) {
    fail_limit(at(Kind::job, index, "tasks"), "max_tasks_per_job", limits_.max_tasks_per_job);
  }
  if (tasks == 0) {
    fail(at(Kind::job, index, "tasks"), "a job has at least one task");
  } else if (job.state == JobState::pending && !waiting) {
    fail(at(Kind::job, index, "state"), "a pending job has a task that waits; each of this one's has a node");
  } else if (job.state != JobState::pending && job.state != JobState::suspended && !placed) {
    fail(at(Kind::job, index, "state"), "a " + std::string(to_word(job.state, kJobStates)) +
                                            " job has a task with a node; none of this one's has");
  }
  const JobExtras& extras = model_.job_extras[id.value];
  if (extras.min_tasks > tasks) {
    fail(at(Kind::job, index, "min_tasks"),
         std::to_string(extras.min_tasks) + " is more than the job's " + std::to_string(tasks) + " tasks");
  }
  if (extras.min_tasks > 0 && job.gang == Tri::no) {
    fail(at(Kind::job, index, "min_tasks"), "only a gang can be elastic, and 'gang' is false");
  }
  if (model_.job_times[id.value].submitted == kNoTime) {
    model_.job_times.edit(id.value).submitted = model_.now;
    if (model_.now == kNoTime) {
      fail(at(Kind::job, index),
           "has neither 'submitted' nor 'started', and the document gives no 'now' to take instead");
    }
  }
  if (extras.require) check_requirement(index, extras.require);
}

// Of a running job that does not say so itself.
void ModelEdit::check_started(const TaskAt& at) {
  if (model_.tasks.extras(at.id).started != kNoTime) return;
  fail(path_to(at, "started"), "missing, and the running job has none either");
}

void ModelEdit::check_task(const TaskAt& at, const TaskCore& task, bool runs) {
  const TaskExtras& extras = model_.tasks.extras(at.id);
  if (runs && task.count > 1)
    fail(path_to(at, "count"), "only waiting tasks can be counted, and this one has a node");
  if (!runs && task.gpus_given)
    fail(path_to(at, "gpus"), "only a task with a node holds devices, and this one waits");
  if (extras.required_node != kNoName) {
    if (const NodeId required = model_.nodes.find(extras.required_node)) {
      ++model_.nodes.edit(required).required_by;
    } else {
      resolve(model_.nodes, extras.required_node, Kind::node, path_to(at, "required_node"));
    }
  }
  if (task.gpus_given) check_devices(at, task, extras.shares);
}

Amount ModelEdit::find_gpu_of(ShapeId shape) {
  if (gpu_ == ResourceId::kNoValue) gpu_ = model_.find_resource("gpu");
  if (gpu_ == ResourceId::kNoValue) return 0;
  return (devices_[shape % devices_.size()] = {shape, amount_of(model_.shape(shape), gpu_)}).gpu;
}

// As many devices are named as the task holds `gpu`.
void ModelEdit::check_devices(const TaskAt& at, const TaskCore& task, BlobId shares) {
  Total held = static_cast<Total>(count_bits(task.gpus)) * kOne;
  if (shares != kNoBlob) {
    for (const DeviceShare& share : model_.shares(shares)) held += share.share;
  }
  const Amount asked = gpu_of(task.resources);
  if (held == asked) return;
  fail(path_to(at, "gpus"),
       "names " + format_total(held) + " devices, but 'resources' gives " + format_amount(asked) + " gpu");
}

}  // namespace cede
