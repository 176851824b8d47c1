// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "policy/settings/effective_settings.h"
#include "policy/shape_views.h"
#include "policy/unit_tasks.h"

namespace cede {

// What can be preempted on its own: a whole gang, or one task of a job that is not a gang. An elastic job
// offers each task beyond `min_tasks`, newest first and never an originator, or itself as a whole, never both
// in one set.
struct Unit {
  UnitTasks tasks;         // placed rows, in the job's order
  std::uint64_t hold = 0;  // not running: space kept for the job by this entry, not yet ready
  Time start = 0;          // of a gang its job's, else the task's own
  std::int64_t held = -1;  // see gpus_or_nodes(); -1: not counted yet, or too much for this
  JobId job;
  std::int32_t priority = 0;   // of a gang the highest of its tasks
  std::uint32_t slot = 0;      // its place in the list of all units, where there is one
  bool whole_job = false;      // none of the job's placed tasks stays
  bool whole_elastic = false;  // the exclusive alternative to its single tasks
  bool last_resort = false;
  bool preemptible = true;
};
static_assert(sizeof(Unit) == 48, "nearly every running task is one: the widest members come first");

// The units a victim is made of: a whole gang is one, of any other job each task is.
std::vector<Unit> units_of(const EffectiveSettings& effective, const PlannedVictim& victim);

// All units with a task on a node of the group, in the order of their job's name and their position in it.
// A hold that is not ready is one unit of its requester.
std::vector<Unit> make_units(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight);
// Those of one job.
std::vector<Unit> make_job_units(const EffectiveSettings& effective, JobId job, const InFlight& in_flight);
// The unit of a job that is one, all of whose tasks are placed and no hold; the same as make_job_units()
// makes of it. For whoever makes those of a whole cluster, where nearly all are of this sort, and has looked
// up the rows: either it has one task, or it is a gang that is not elastic and whose tasks say nothing beyond
// their cores. `gpus`: how much of that resource they hold; for a gang not 0.
struct PlainJob {
  JobId id;
  const JobCore& job;
  const JobTimes& times;
  Amount gpus;
};
void make_plain_unit(const EffectiveSettings& effective, const PlainJob& plain, Unit& out);
// The order they are made in, which is also the one people are shown.
bool comes_before(const Model& model, const Unit& a, const Unit& b);

// How many GPUs a unit holds, in thousandths; where it holds none, on how many nodes it runs.
Total gpus_or_nodes(const Model& model, const Unit& unit);

}  // namespace cede
