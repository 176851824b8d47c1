// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "policy/effective.h"

namespace cede {

// What can be preempted on its own: a whole gang, or one task of a job that is not a gang. An elastic job
// offers each task beyond `min_tasks`, newest first and never an originator, or itself as a whole, never both
// in one set.
struct Unit {
  JobId job;
  std::vector<TaskId> tasks;   // placed rows, in the job's order
  bool whole_job = false;      // none of the job's placed tasks stays
  bool whole_elastic = false;  // the exclusive alternative to its single tasks
  bool last_resort = false;
  bool preemptible = true;
  std::int32_t priority = 0;  // of a gang the highest of its tasks
  Time start = 0;             // of a gang its job's, else the task's own
  Total held = -1;            // see gpus_or_nodes(); -1: not counted yet
  std::uint32_t slot = 0;     // its place in the list of all units, where there is one
};

// All units with a task on a node of the group, in the order of their job's name and their position in it.
std::vector<Unit> make_units(const Effective& effective, GroupId group);
// Those of one job.
std::vector<Unit> make_job_units(const Effective& effective, JobId job);
// The order they are made in, which is also the one people are shown.
bool comes_before(const Model& model, const Unit& a, const Unit& b);

}  // namespace cede
