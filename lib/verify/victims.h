// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/plan.h"
#include "policy/settings/effective_settings.h"

namespace cede {

// What is preempted on its own: a whole gang, or one task of a job that is not a gang; or the space that an
// entry holds for a job. Refers to rows owned by the plan, the model or a JobUnits.
struct VictimUnit {
  JobId job;
  std::span<const TaskId> tasks;  // in the job's order
  std::uint64_t hold = 0;         // the entry that holds this space for the job; 0: the unit is running
  bool whole_job = false;         // no placed task of the job remains
  bool whole_elastic = false;     // the whole elastic job; excludes its single tasks
  std::int32_t priority = 0;      // for a gang, the highest of its tasks
  Time start = 0;                 // for a gang, of its job; else of the task
  bool preemptible = true;        // the most protected task decides
  bool last_resort = false;
};

// Combines the tasks into one unit. `gang`: the unit starts when its job does.
VictimUnit unit_of(const EffectiveSettings& effective, JobId job, std::span<const TaskId> tasks, bool gang);

// The units of a victim: a hold and a whole gang are one unit each; in any other job each task is one.
void add_units(const EffectiveSettings& effective, const PlannedVictim& victim, std::size_t placed,
               std::vector<VictimUnit>& out);

// All units of one job. An elastic job offers itself as a whole or each task beyond `min_tasks`: the newest
// first, of equally new tasks the last, and never an originator.
struct JobUnits {
  JobUnits(const EffectiveSettings& effective, JobId job, const InFlight& in_flight);
  std::vector<TaskId> placed;  // without the tasks of a hold
  std::vector<VictimUnit> units;
};

// Since when the unit has run without interruption.
Time running_since(const Model& model, const VictimUnit& unit);
// The GPUs of the tasks, in thousandths; without GPUs, the number of nodes they run on.
Total gpus_or_nodes_of(const Model& model, std::uint32_t gpu, std::span<const TaskId> tasks);

}  // namespace cede
