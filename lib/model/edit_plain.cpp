// SPDX-License-Identifier: MIT
// Jobs as most of an array are.
#include <bit>

#include "model/edit.h"

namespace cede {

// Most jobs of an array are new, either run with a node for each task or wait with none, and say nothing that
// few say. Of such a one all that must hold can be seen before anything is written, and then each of its rows
// is written once. Anything else is put()'s, which also says what is wrong: false, and nothing is written.
bool ModelEdit::put_plain(const JobDraft& draft) {
  const std::size_t rows = draft.tasks.size();
  if (rows == 0 || draft.extras != JobExtras{} || model_.jobs.find(draft.core.name) ||
      model_.jobs.live() >= limits_.max_jobs || model_.tasks.live() + rows > limits_.max_tasks)
    return false;
  JobTimes times = draft.times;
  if (times.submitted == kNoTime) times.submitted = times.started;
  if (times.submitted == kNoTime || (draft.core.state == JobState::running && times.started == kNoTime))
    return false;
  JobCore core = draft.core;
  core.queue = model_.queues.find(draft.queue);
  core.group = known_group(draft.group);
  if (!core.queue || !core.group || !find_nodes(draft, core.group)) return false;

  core.stamp = model_.edits;
  core.task_rows = static_cast<std::uint32_t>(rows);
  core.first_task = model_.tasks.allocate(core.task_rows);
  const JobId id = model_.jobs.add(core);
  jobs_.emplace_back().id = id;
  model_.job_names.retain(core.name);
  count_queue(core.queue);
  count_group(core.group);
  const std::size_t bound = model_.jobs.id_bound();
  if (model_.job_times.size() < bound) model_.job_times.grow_to(bound);
  model_.job_times.edit(id.value) = times;
  if (draft.owners != JobOwners{}) set_owners(id, {}, draft.owners);
  model_.job_spells.set(id.value, draft.spells);
  model_.job_checkpoints.set(id.value, draft.checkpoint);
  for (std::size_t k = 0; k < rows; ++k) {
    TaskCore task = draft.tasks[k].core;
    const TaskId row{core.first_task.value + k};
    task.job = id;
    count_shape(task.resources);
    if (found_nodes_[k]) {
      link(row, task, found_nodes_[k]);
    } else {
      model_.tasks.edit_core(row) = task;
    }
  }
  return true;
}

// The nodes of all tasks, or none of any that waits. False where a task is not plain.
bool ModelEdit::find_nodes(const JobDraft& draft, GroupId group) {
  const bool waits = draft.core.state == JobState::pending;
  std::uint64_t tasks = 0;
  found_nodes_.clear();
  for (const TaskDraft& task : draft.tasks) {
    tasks += task.core.count;
    if (waits != (task.node == kNoName) || task.extras != TaskExtras{}) return false;
    const NodeId node = model_.nodes.find(task.node);
    found_nodes_.push_back(node);
    if (waits) {
      if (task.core.gpus_given) return false;
      continue;
    }
    if (!node || model_.nodes[node].group != group || task.core.count != 1) return false;
    if (task.core.gpus_given && std::popcount(task.core.gpus) * kOne != gpu_of(task.core.resources))
      return false;
  }
  return tasks <= limits_.max_tasks_per_job;
}

// Writes the row of a task that is on a node: first of those there.
void ModelEdit::link(TaskId id, TaskCore& task, NodeId node) {
  NodeRow& row = model_.nodes.edit(node);
  const TaskId next = row.first_task;
  task.node = node;
  task.next_on_node = next;
  task.previous_on_node = {};
  row.first_task = id;
  ++row.tasks;
  model_.tasks.edit_core(id) = task;
  if (next) model_.tasks.edit_core(next).previous_on_node = id;
  touch(node);
}

}  // namespace cede
