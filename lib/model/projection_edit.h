// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace cede {

// Makes out of a model the one that will be: tasks leave their nodes, waiting ones are on some. The rules of
// ModelEdit are not asked, because what is in flight may contradict what a manager says at the moment; the
// result is for planning only and never the base of another edit.
class ProjectionEdit {
 public:
  explicit ProjectionEdit(const Model& model) : model_(model) {}

  const Model& model() const { return model_; }
  Model take() { return std::move(model_); }

  // Takes a task off its node; it waits from now on.
  void take_off(TaskId task);

  struct PlacedTask {
    TaskId row;
    std::uint32_t index = 0;  // among the row's `count`
    NodeId node;
    DeviceMask gpus = 0;
    std::uint32_t share_device = kMaxDevices;
    std::uint32_t share = 0;
    bool devices_known = true;
  };
  // Seats waiting tasks of a job, which counts as running from then on. Rows that count several tasks are
  // taken apart, so all of the job's rows move; the new rows of the seats come back, in their order.
  std::vector<TaskId> seat(JobId job, const std::vector<PlacedTask>& seats, Time started);

 private:
  void link(TaskId task, NodeId node);
  void unlink(TaskId task);

  Model model_;
};

}  // namespace cede
