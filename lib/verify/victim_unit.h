// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/plan.h"
#include "policy/settings/effective_settings.h"

namespace cede {

// What is preempted on its own: a whole gang, or one task of a job that is not a gang; or the space that an
// entry holds for a job. Refers to rows that the plan, the model or a JobUnits keeps.
struct VictimUnit {
  JobId job;
  std::span<const TaskId> tasks;  // in the job's order
  std::uint64_t hold = 0;         // not running: space kept for the job by this entry
  bool whole_job = false;         // none of the job's placed tasks stays
  bool whole_elastic = false;     // the alternative to its single tasks
  std::int32_t priority = 0;      // of a gang the highest of its tasks
  Time start = 0;                 // of a gang its job's, else the task's own
  bool preemptible = true;        // the most protected of its tasks decides
  bool last_resort = false;
};

// How the tasks are counted as one unit. `gang`: it starts when its job does.
VictimUnit unit_of(const EffectiveSettings& effective, JobId job, std::span<const TaskId> tasks, bool gang);

// The units a victim is made of: a hold and a whole gang are one, of any other job each task is.
void add_units(const EffectiveSettings& effective, const PlannedVictim& victim, std::size_t placed,
               std::vector<VictimUnit>& out);

// All units of one job. An elastic one offers itself as a whole or each task beyond `min_tasks`: the newest,
// of equally new ones the last, and never an originator.
struct JobUnits {
  JobUnits(const EffectiveSettings& effective, JobId job, const InFlight& in_flight);
  std::vector<TaskId> placed;  // without those that are a hold
  std::vector<VictimUnit> units;
};

// Since when it has run without a break.
Time running_since(const Model& model, const VictimUnit& unit);
// The GPUs it holds, in thousandths; where it holds none, the nodes it runs on.
Total gpus_or_nodes_of(const Model& model, std::uint32_t gpu, std::span<const TaskId> tasks);

}  // namespace cede
