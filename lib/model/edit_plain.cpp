// SPDX-License-Identifier: MIT
// Jobs as most of an array are.
#include <algorithm>
#include <cassert>

#include "base/bits.h"
#include "model/edit.h"

namespace cede {

// Most jobs of an array are new, either run with a node for each task or wait with none, and say nothing that
// few say. Of such a one all that must hold can be seen before anything is written, and then each of its rows
// is written once. Anything else is put()'s, which also says what is wrong: false, and nothing is written.
// That there is no job of this name is known; `live`: how many others there are.
bool ModelEdit::prepare_new(JobDraft& draft, std::size_t live) {
  const std::size_t rows = draft.tasks.size();
  if (rows == 0 || draft.extras != JobExtras{} || live >= limits_.max_jobs ||
      model_.tasks.live() + rows > limits_.max_tasks)
    return false;
  JobTimes& times = draft.times;
  const Time submitted = times.submitted == kNoTime ? times.started : times.submitted;
  if (submitted == kNoTime || (draft.core.state == JobState::running && times.started == kNoTime))
    return false;
  const QueueId queue = model_.queues.find(draft.queue);
  const GroupId group = known_group(draft.group);
  if (!queue || !group || !find_nodes(draft, group)) return false;
  times.submitted = submitted;
  draft.core.queue = queue;
  draft.core.group = group;
  draft.core.stamp = model_.edits;
  draft.core.task_rows = static_cast<std::uint32_t>(rows);
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
    if (!task.core.gpus_given) continue;
    const Amount gpu = task.gpu < 0 ? gpu_of(task.core.resources) : task.gpu;
    if (count_bits(task.core.gpus) * kOne != gpu) return false;
  }
  return tasks <= limits_.max_tasks_per_job;
}

// What is asked of tables that are written to while drafts are made is asked before.
void ModelEdit::expect_new() {
  if (expects_new_) return;
  expects_new_ = true;
  expect_many();
  gpu_ = model_.find_resource("gpu");
  model_.nodes.for_each([&](NodeId id, const NodeRow& row) {
    if (fresh_nodes_[id.value].state == FreshNode::State::unseen) watch(fresh_nodes_[id.value], row);
  });
}

JobId ModelEdit::place_new(JobDraft& draft, PendingJobNames& arrivals) {
  // Shapes may be written to meanwhile: whoever makes drafts says what is in them.
  assert(expects_new_ && std::all_of(draft.tasks.begin(), draft.tasks.end(),
                                     [](const TaskDraft& task) { return task.gpu >= 0; }));
  if (arrivals.is_taken(draft.core.name) || !prepare_new(draft, arrivals.live())) return {};
  const JobId id = arrivals.add(draft.core.name);
  place_tasks(draft, id);
  return id;
}

// Writes the rows of the tasks of a job that prepare_new() found nothing wrong with.
void ModelEdit::place_tasks(JobDraft& draft, JobId id) {
  JobCore& core = draft.core;
  jobs_.push_back({id});
  if (core.has_priority) {
    usual_priorities_.lowest = std::min(usual_priorities_.lowest, core.priority);
    usual_priorities_.highest = std::max(usual_priorities_.highest, core.priority);
  }
  core.first_task = model_.tasks.allocate(core.task_rows);
  for (std::size_t k = 0; k < draft.tasks.size(); ++k) {
    TaskCore& task = draft.tasks[k].core;
    const TaskId row{core.first_task.value + k};
    task.job = id;
    shape_owners_.count(task.resources);
    if (const NodeId node = found_nodes_[k]) {
      if (!settles_in(node, model_.nodes[node], task)) touch(node);
      link(row, task, node);
    } else {
      model_.tasks.edit_core(row) = task;
    }
  }
}

// And the job's own rows, in tables that nobody looks at who places tasks.
void ModelEdit::add_new(JobId id, const JobHead& head) {
  model_.jobs.add(head.core);
  model_.job_names.retain(head.core.name);
  queue_jobs_.count(head.core.queue.value);
  group_jobs_.count(head.core.group.value);
  const std::size_t bound = model_.jobs.id_bound();
  if (model_.job_times.size() < bound) model_.job_times.grow_to(bound);
  model_.job_times.edit(id.value) = head.times;
  if (head.owners != JobOwners{}) set_owners(id, head.owners);
  if (head.spells != JobSpells{}) model_.job_spells.set(id.value, head.spells);
  if (head.checkpoint != JobCheckpoint{}) model_.job_checkpoints.set(id.value, head.checkpoint);
}

void ModelEdit::watch(FreshNode& node, const NodeRow& row) {
  node.state = row.first_task ? FreshNode::State::other : FreshNode::State::fresh;
  if (gpu_ == ResourceId::kNoValue) gpu_ = model_.find_resource("gpu");
  node.left = first_bits(model_.device_count(row, gpu_));
}

// Whether all is well with a task on a node that nobody was on before, so far as devices and those who came
// since go. That it fits is seen in check_settled().
bool ModelEdit::settles_in(NodeId node, const NodeRow& row, const TaskCore& task) {
  using State = FreshNode::State;
  if (fresh_nodes_.empty()) return false;
  FreshNode& here = fresh_nodes_[node.value];
  assert(!expects_new_ || here.state != State::unseen);
  if (here.state == State::unseen) watch(here, row);
  if (here.state != State::fresh) return false;
  if ((task.gpus & ~here.left) != 0) {
    here.state = State::other;  // what is wrong is told in the end
    return false;
  }
  here.left &= ~task.gpus;
  const Fitting pair{task.resources, row.resources, row.group};
  Fitting& known = settled_[pair.slot()];
  if (known == pair) [[likely]]
    return true;
  if (known.task != kNoShape) settled_before_.push_back(known);
  known = pair;
  return true;
}

// Where a task does not fit, the nodes are looked for where that is so, and what is wrong is told of them.
void ModelEdit::check_settled() {
  settled_before_.insert(settled_before_.end(), settled_.begin(), settled_.end());
  std::vector<Fitting> unfit;
  for (const Fitting& pair : settled_before_) {
    if (pair.task == kNoShape) continue;
    NodeRow node;
    node.resources = pair.node;
    node.group = pair.group;
    if (!fits_alone(pair.task, node)) unfit.push_back(pair);
  }
  if (unfit.empty()) return;
  model_.nodes.for_each([&](NodeId id, const NodeRow& row) {
    for (TaskId task = row.first_task; task; task = model_.tasks.core(task).next_on_node) {
      const TaskCore& core = model_.tasks.core(task);
      const bool put_now = model_.jobs[core.job].stamp == model_.edits;
      const Fitting pair{core.resources, row.resources, row.group};
      if (put_now && std::find(unfit.begin(), unfit.end(), pair) != unfit.end()) return touch(id);
    }
  });
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
}

}  // namespace cede
