// SPDX-License-Identifier: MIT
#include "model/projection_edit.h"

#include <algorithm>
#include <string>

namespace cede {

void ProjectionEdit::link(TaskId task, NodeId node) {
  NodeRow& row = model_.nodes.edit(node);
  TaskCore& core = model_.tasks.edit_core(task);
  core.node = node;
  core.previous_on_node = {};
  core.next_on_node = row.first_task;
  if (row.first_task) model_.tasks.edit_core(row.first_task).previous_on_node = task;
  row.first_task = task;
  ++row.tasks;
}

void ProjectionEdit::unlink(TaskId task) {
  const TaskCore core = model_.tasks.core(task);
  NodeRow& node = model_.nodes.edit(core.node);
  if (core.previous_on_node) {
    model_.tasks.edit_core(core.previous_on_node).next_on_node = core.next_on_node;
  } else {
    node.first_task = core.next_on_node;
  }
  if (core.next_on_node) model_.tasks.edit_core(core.next_on_node).previous_on_node = core.previous_on_node;
  --node.tasks;
  TaskCore& row = model_.tasks.edit_core(task);
  row.node = {};
  row.next_on_node = {};
  row.previous_on_node = {};
}

void ProjectionEdit::take_off(TaskId task) {
  if (!model_.tasks.core(task).node) return;
  unlink(task);
  TaskCore& core = model_.tasks.edit_core(task);
  core.gpus = 0;
  core.gpus_given = false;
  TaskExtras extras = model_.tasks.extras(task);
  extras.shares = kNoBlob;
  model_.tasks.set_extras(task, extras);
}

std::vector<TaskId> ProjectionEdit::place(JobId job, const std::vector<PlacedTask>& places, Time started) {
  struct Row {
    TaskCore core;
    TaskExtras extras;
    NodeId node;
    std::size_t placed;
  };
  constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);
  std::vector<Row> rows;
  const JobCore before = model_.jobs[job];
  for (std::uint32_t k = 0; k < before.task_rows; ++k) {
    const TaskId row{before.first_task.value + k};
    TaskExtras extras = model_.tasks.extras(row);
    // The label must not change with the position of the row.
    const std::string name = model_.task_name(before, k);
    extras.name = model_.job_names.intern(name);
    TaskCore core = model_.tasks.core(row);
    const NodeId node = core.node;
    if (node) unlink(row);
    core.next_on_node = core.previous_on_node = {};
    std::uint32_t waiting = core.count;
    for (std::size_t s = 0; s < places.size(); ++s) {
      if (places[s].row != row || node) continue;
      TaskExtras own = extras;
      if (core.counted) own.name = model_.job_names.intern(name + '#' + std::to_string(places[s].index));
      TaskCore one = core;
      one.count = 1;
      one.counted = false;
      rows.push_back({one, own, places[s].node, s});
      --waiting;
    }
    core.count = waiting & kMaxTaskCount;
    core.node = {};
    if (waiting > 0) rows.push_back({core, extras, node, kNoPlace});
  }
  const auto size = static_cast<std::uint32_t>(rows.size());
  const TaskId first = model_.tasks.allocate(size);
  std::vector<TaskId> placed_rows(places.size());
  for (std::uint32_t k = 0; k < size; ++k) {
    Row& row = rows[k];
    const TaskId id{first.value + k};
    if (row.placed != kNoPlace) {
      const PlacedTask& place = places[row.placed];
      row.core.gpus = place.gpus;
      row.core.gpus_given = place.devices_known;
      row.extras.started = started;
      if (place.share > 0) {
        const DeviceShare share{place.share_device, place.share};
        row.extras.shares = model_.blobs.intern({reinterpret_cast<const char*>(&share), sizeof share});
      }
      placed_rows[row.placed] = id;
    }
    model_.tasks.edit_core(id) = row.core;
    model_.tasks.edit_core(id).node = {};
    model_.tasks.set_extras(id, row.extras);
    if (row.node) link(id, row.node);
  }
  JobCore& core = model_.jobs.edit(job);
  core.first_task = first;
  core.task_rows = size;
  if (core.state == JobState::pending || core.state == JobState::suspended) core.state = JobState::running;
  JobTimes& times = model_.job_times.edit(job.value);
  if (times.started == kNoTime) times.started = started;
  return placed_rows;
}

}  // namespace cede
