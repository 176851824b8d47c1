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
  std::uint32_t index = 0;  // position within the row's `count`
  ShapeId resources = kNoShape;
  NameId required_node = kNoName;
};

// What one plan must achieve.
struct Request : Subject {
  std::vector<RequestTask> tasks;  // to be placed; empty if nothing waits
  std::vector<Total> asked;        // by resource: the sum over all tasks; empty if nothing waits
};

// A gang requests all its waiting tasks; an elastic gang, as many as it lacks to `min_tasks`; any other job,
// the first `tasks_per_plan`.
Request make_request(const EffectiveSettings& effective, JobId job);

// `w#2`, or `t0` for a task written without `count`.
std::string task_label(const Model& model, TaskId row, std::uint32_t index);

}  // namespace cede
