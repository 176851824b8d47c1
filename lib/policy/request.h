// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "model/plan.h"
#include "policy/settings/effective_settings.h"

namespace cede {

// One waiting task that a plan must place.
struct RequestTask {
  TaskId row;
  std::uint32_t index = 0;  // among the row's `count`
  ShapeId resources = kNoShape;
  NameId required_node = kNoName;
};

// What one plan must bring about.
struct Request : Subject {
  std::vector<RequestTask> tasks;  // to be placed; empty when nothing waits
  std::vector<Total> asked;        // by resource: of all of them; empty when nothing waits
};

// All waiting tasks of a gang (of an elastic one those missing to `min_tasks`), of any other job the first
// `tasks_per_plan`.
Request make_request(const EffectiveSettings& effective, JobId job);

// `w#2`, or `t0` for a task written without `count`.
std::string task_label(const Model& model, TaskId row, std::uint32_t index);

}  // namespace cede
