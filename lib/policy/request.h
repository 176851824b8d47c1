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
  std::vector<RequestTask> tasks;  // to be placed, in the job's order; empty if nothing waits
  std::vector<Total> asked;        // by resource: the sum over all tasks; empty if nothing waits
  // The lowest priority and the strictest `may_preempt` of the tasks. A request never counts for more than
  // any task that it starts, so none of its victims can take the space back.
  std::int32_t priority = 0;
  bool may_preempt = true;
};

// What a plan for the job must place if it takes victims. A gang requests all its waiting tasks; an elastic
// gang, as many as it lacks to `min_tasks`. Any other job requests its first waiting task that may preempt
// (the first one if none may), with others of equal priority and `may_preempt`, up to `tasks_per_plan`.
Request make_request(const EffectiveSettings& effective, JobId job);

// make_request(effective, job).priority.
std::int32_t request_priority(const EffectiveSettings& effective, JobId job);

// A way to start tasks of a job that is not a gang without victims: one waiting task and, in order, those of
// equal priority and `may_preempt`.
struct FreeStart {
  std::vector<TaskId> rows;
  std::uint64_t tasks = 0;  // how many of their tasks one plan may place
};

// One for each kind of waiting task, in the job's order. The first whose first task fits is served, with as
// many of the others as fit too. Empty if make_request() is the only request there is.
std::vector<FreeStart> free_starts(const EffectiveSettings& effective, JobId job);

// The request for the first tasks of it.
Request request_from(const EffectiveSettings& effective, JobId job, const FreeStart& start,
                     std::uint64_t tasks);

// `w#2`, or `t0` for a task written without `count`.
std::string task_label(const Model& model, TaskId row, std::uint32_t index);

}  // namespace cede
