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

// If the waiting tasks of a job that is not a gang differ, any of them that fits into free space goes first.
// These are the requests to be tried without victims, in the job's order; empty if make_request() is the only
// one.
std::vector<Request> free_space_requests(const EffectiveSettings& effective, JobId job);

// `w#2`, or `t0` for a task written without `count`.
std::string task_label(const Model& model, TaskId row, std::uint32_t index);

}  // namespace cede
