// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace cede {

// Turns a model into that of the projected cluster: tasks leave their nodes, and waiting tasks are placed.
// The rules of ModelEdit do not apply, because decisions in flight may contradict the current state of the
// manager. The result is for planning only.
class ProjectionEdit {
 public:
  explicit ProjectionEdit(const Model& model) : model_(model) {}

  const Model& model() const { return model_; }

  // Removes a task from its node; from then on it waits.
  void take_off(TaskId task);

  struct PlacedTask {
    TaskId row;
    std::uint32_t index = 0;  // within the row's `count`
    NodeId node;
    DeviceMask gpus = 0;
    std::uint32_t share_device = kMaxDevices;
    std::uint32_t share = 0;
    bool devices_known = true;
  };
  // Places waiting tasks of a job, which then counts as running. Rows with several tasks are split, so all
  // rows of the job move. Returns the new rows of the placed tasks in the order of `places`.
  std::vector<TaskId> place(JobId job, const std::vector<PlacedTask>& places, Time started);

 private:
  void link(TaskId task, NodeId node);
  void unlink(TaskId task);

  Model model_;
};

}  // namespace cede
