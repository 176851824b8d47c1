// SPDX-License-Identifier: MIT
// Writing jobs and their tasks. What must hold of a job is checked by JobResolver.
#include <algorithm>

#include "base/text.h"
#include "model/edit.h"
#include "model/edit_place.h"

namespace cede {

void ModelEdit::put(const JobDraft& draft) {
  resolved_.faults.clear();
  check_task_names(model_.job_names, draft.tasks, resolved_.faults);
  if (!resolved_.faults.empty()) fail(resolved_.faults, jobs_.size());
  const JobId id = place_job(draft);
  if (!id) return;
  const std::size_t index = jobs_.size() - 1;
  if (!one_list_) return waiting_.add(index, draft);
  if (!resolver_) resolver_.emplace(model_, model_, limits_);
  resolved_.faults.clear();
  resolver_->resolve(draft, draft.tasks, resolved_);
  if (!resolved_.faults.empty()) fail(resolved_.faults, index);
  write(id, draft, draft.tasks, resolved_);
}

void ModelEdit::put(const JobDraft& draft, const ResolvedJob& resolved) {
  if (!resolved.faults.empty()) fail(resolved.faults, jobs_.size());
  if (const JobId id = place_job(draft)) write(id, draft, draft.tasks, resolved);
}

void ModelEdit::write_waiting_jobs() {
  const JobResolver resolver(model_, model_, limits_);
  waiting_.take_all([&](std::size_t index, const JobHead& head, std::span<const TaskDraft> tasks) {
    if (problems_->full()) return;
    resolved_.faults.clear();
    resolver.resolve(head, tasks, resolved_);
    if (!resolved_.faults.empty()) fail(resolved_.faults, index);
    write(jobs_[index].id, head, tasks, resolved_);
  });
}

void ModelEdit::fail(const std::vector<JobFault>& faults, std::size_t index) {
  for (const JobFault& fault : faults) {
    Path path = at(Kind::job, index);
    path.insert(path.end(), fault.path.begin(), fault.path.end());
    if (fault.unknown) {
      fail_unknown(std::move(path), *fault.unknown, fault.name);
    } else {
      problems_->error(std::move(path), fault.text, fault.status);
    }
  }
}

// One wrong name, or one empty list, is one mistake however many objects refer to it. The first of them is
// told, with the number of the others.
void ModelEdit::fail_unknown(Path path, Kind kind, std::string_view name) {
  const bool any = known_of(model_, kind) > 0;
  UnknownName& unknown = unknown_[{kind, any ? std::string(name) : std::string{}}];
  const auto told = std::find_if(problems_->all().begin(), problems_->all().end(), [&](const Problem& each) {
    return unknown.others >= 0 && each.path == unknown.path && each.text == unknown.text;
  });
  if (unknown.others >= 0 && told != problems_->all().end()) {
    ++unknown.others;
    told->text.erase(unknown.own_size);
    told->text +=
        " (and in " + std::to_string(unknown.others) + " more place" + (unknown.others > 1 ? "s)" : ")");
    unknown.text = told->text;
    return;
  }
  unknown.path = path;
  unknown.text =
      kind == Kind::group && name.empty() ? no_group_text(model_, name) : unknown_text(model_, kind, name);
  unknown.own_size = unknown.text.size();
  unknown.others = 0;
  fail(std::move(path), unknown.text);
}

// The job's row, and room in the table of tasks.
JobId ModelEdit::place_job(const JobDraft& draft) {
  if (jobs_.size() == kManyJobs) expect_many();
  const JobId id = place(model_.jobs, draft.core.name, Kind::job, jobs_, limits_.max_jobs, "max_jobs");
  if (!id) return {};
  const std::size_t rows = task_rows_ - model_.jobs[id].task_rows + draft.tasks.size();
  if (rows > limits_.max_tasks) {
    fail_limit(at(Kind::job, jobs_.size() - 1, "tasks"), "max_tasks", limits_.max_tasks);
    jobs_.back().id = {};
    return {};
  }
  task_rows_ = rows;
  return id;
}

// Most jobs of a large array are new, so the columns of a new job are not read. This writes only the job's
// own rows, its nodes and the owner counts of what they refer to.
void ModelEdit::write(JobId id, const JobHead& head, std::span<const TaskDraft> tasks,
                      const ResolvedJob& resolved) {
  const JobCore held = model_.jobs[id];
  const bool is_new = held.task_rows == 0;
  const bool kept = !is_new && keeps_tasks(held, tasks, resolved);
  if (!is_new && !kept) detach_tasks(held);
  if (tasks.size() > model_.position_names) name_positions(tasks);

  JobCore row = head.core;
  row.stamp = held.stamp;
  row.queue = resolved.queue;
  row.group = resolved.group;
  row.task_rows = static_cast<std::uint32_t>(tasks.size());
  row.first_task = kept ? held.first_task : model_.tasks.allocate(row.task_rows);
  model_.jobs.edit(id) = row;
  if (row.queue != held.queue) {
    if (held.queue) --model_.queues.edit(held.queue).jobs;
    if (row.queue) queue_jobs_.count(row.queue.value);
  }
  if (row.group != held.group) {
    if (held.group) --model_.groups.edit(held.group).jobs;
    if (row.group) group_jobs_.count(row.group.value);
  }
  for (std::uint32_t k = 0; k < tasks.size() && !kept; ++k)
    write_task(TaskId{row.first_task.value + k}, id, tasks[k], resolved.tasks[k]);

  JobTimes times = head.times;
  times.submitted = resolved.submitted;
  if (model_.job_times.size() <= id.value) model_.job_times.grow_to(model_.jobs.id_bound());
  if (is_new || model_.job_times[id.value] != times) model_.job_times.edit(id.value) = times;
  if (!is_new) return set_rare(id, head);
  if (head.owners != JobOwners{}) set_owners(id, head.owners);
  if (head.state_times != JobStateTimes{}) model_.job_state_times.set(id.value, head.state_times);
  if (head.checkpoint != JobCheckpoint{}) model_.job_checkpoints.set(id.value, head.checkpoint);
  if (head.extras != JobExtras{}) set_extras(id, head.extras);
}

void ModelEdit::give_number(NameId name) {
  model_.job_names.retain(model_.job_names.intern(model_.names.view(name)));
}

void ModelEdit::take_number(NameId name) {
  give_up(model_.job_names, model_.job_names.find(model_.names.view(name)));
}

// A task without a name is called by its position. Such names have an owner from the first job on that needs
// them, so that they have numbers too.
void ModelEdit::name_positions(std::span<const TaskDraft> tasks) {
  std::size_t needed = tasks.size();
  while (needed > model_.position_names && tasks[needed - 1].extras.name != kNoName) --needed;
  for (; model_.position_names < needed; ++model_.position_names)
    model_.job_names.retain(model_.job_names.intern("t" + std::to_string(model_.position_names)));
}

// Whether a job that is put again has the tasks it had. Most changes are of a priority or a time, and then
// the rows of its tasks, of those beside them and of their nodes need not be written to.
bool ModelEdit::keeps_tasks(const JobCore& held, std::span<const TaskDraft> tasks,
                            const ResolvedJob& resolved) const {
  if (held.task_rows != tasks.size() || held.group != resolved.group) return false;
  for (std::uint32_t k = 0; k < held.task_rows; ++k) {
    const TaskId row{held.first_task.value + k};
    const TaskCore& was = model_.tasks.core(row);
    const TaskDraft& next = tasks[k];
    if (was.node != resolved.tasks[k].node || was.resources != next.core.resources ||
        was.gpus != next.core.gpus || was.count != next.core.count || was.counted != next.core.counted ||
        was.gpus_given != next.core.gpus_given || model_.tasks.extras(row) != next.extras)
      return false;
  }
  return true;
}

// A task with a node is the first of those there.
void ModelEdit::write_task(TaskId id, JobId job, const TaskDraft& draft, const ResolvedJob::Task& resolved) {
  TaskCore& task = model_.tasks.edit_core(id);
  task = draft.core;
  task.job = job;
  task.node = resolved.node;
  task.next_on_node = task.previous_on_node = {};
  shape_owners_.count(task.resources);
  if (resolved.node) {
    NodeRow& node = model_.nodes.edit(resolved.node);
    const TaskId next = std::exchange(node.first_task, id);
    ++node.tasks;
    task.next_on_node = next;  // the last use of `task`, which the next edit may move
    if (next) model_.tasks.edit_core(next).previous_on_node = id;
    touch(resolved.node);
  }
  if (draft.extras == TaskExtras{}) return;  // as fresh rows are
  model_.tasks.set_extras(id, draft.extras);
  task_name_owners_.count(draft.extras.name);
  name_owners_.count(draft.extras.required_node);
  blob_owners_.count(draft.extras.shares);
  blob_owners_.count(draft.extras.site);
  if (resolved.required) ++model_.nodes.edit(resolved.required).required_by;
}

void ModelEdit::expect_many() {
  queue_jobs_.gather();
  group_jobs_.gather();
  shape_owners_.gather();
  name_owners_.gather();
  task_name_owners_.gather();
  blob_owners_.gather();
  requirement_owners_.gather();
}

// What jobs that are put own of what is counted in few places.
void ModelEdit::hand_on_counts() {
  queue_jobs_.hand_on(
      [&](std::uint32_t queue, std::uint32_t more) { model_.queues.edit(QueueId{queue}).jobs += more; });
  group_jobs_.hand_on(
      [&](std::uint32_t group, std::uint32_t more) { model_.groups.edit(GroupId{group}).jobs += more; });
  shape_owners_.hand_on([&](ShapeId shape, std::uint32_t more) { model_.shapes.retain(shape, more); });
  name_owners_.hand_on([&](NameId name, std::uint32_t more) { model_.names.retain(name, more); });
  task_name_owners_.hand_on([&](NameId name, std::uint32_t more) { model_.job_names.retain(name, more); });
  blob_owners_.hand_on([&](BlobId blob, std::uint32_t more) { model_.blobs.retain(blob, more); });
  requirement_owners_.hand_on(
      [&](std::uint32_t key, std::uint32_t more) { model_.requirement_keys.retain(key, more); });
}

void ModelEdit::set_owners(JobId id, const JobOwners& next) {
  for (const NameId name : {next.app, next.user, next.project, next.tenant}) {
    if (name != kNoName) name_owners_.count(name);
  }
  model_.job_owners.set(id.value, next);
}

void ModelEdit::set_extras(JobId id, const JobExtras& next) {
  shape_owners_.count(next.max);
  blob_owners_.count(next.settings);
  blob_owners_.count(next.site);
  if (next.require) requirement_owners_.count(next.require.value);
  model_.job_extras.set(id.value, next);
}

// What most jobs say nothing about; what it names is held as long as it stands there.
void ModelEdit::set_rare(JobId id, const JobHead& head) {
  if (const JobOwners held = model_.job_owners[id.value]; held != head.owners) {
    for (const NameId name : {held.app, held.user, held.project, held.tenant}) give_up(model_.names, name);
    set_owners(id, head.owners);
  }
  model_.job_state_times.set(id.value, head.state_times);
  model_.job_checkpoints.set(id.value, head.checkpoint);
  if (const JobExtras held = model_.job_extras[id.value]; held != head.extras) {
    give_up(model_.shapes, held.max);
    give_up(model_.blobs, held.settings);
    give_up(model_.blobs, held.site);
    if (held.require) give_up(model_.requirement_keys, held.require.value);
    set_extras(id, head.extras);
  }
}

// Takes a job's tasks off their nodes, gives up what they hold and frees their rows.
void ModelEdit::detach_tasks(const JobCore& job) {
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
    give_up(model_.job_names, extras.name);
    give_up(model_.names, extras.required_node);
    give_up(model_.blobs, extras.shares);
    give_up(model_.blobs, extras.site);
  }
  model_.tasks.free(job.first_task, job.task_rows);
}

// Removes a job with all it refers to.
void ModelEdit::forget(JobId id) {
  const JobCore job = model_.jobs[id];
  detach_tasks(job);
  if (job.queue) --model_.queues.edit(job.queue).jobs;
  if (job.group) --model_.groups.edit(job.group).jobs;
  set_rare(id, {});
  model_.jobs.remove(id);
  give_up(model_.job_names, job.name);
}

}  // namespace cede
