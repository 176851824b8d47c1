// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/shares/fair_share.h"
#include "policy/unit.h"

namespace cede {

// Which jobs may take a task: none, aggressively starving jobs, starving jobs. The most protected tier comes
// first.
enum class TaskTier : std::uint8_t { non_preemptible, aggressively_preemptible, preemptible };
inline constexpr std::array<std::string_view, 3> kTaskTiers{"non_preemptible", "aggressively_preemptible",
                                                            "preemptible"};

// A placed task of the job that is split.
struct SplitTask {
  TaskId row;
  Time start = 0;  // start of the current run
  std::string name = {};
  ResourceView resources = {};
  TaskTier tier = TaskTier::non_preemptible;
};

struct SplitTerms {
  std::int64_t aggressive_threshold = 0;  // billionths of the fair share, at most the other threshold
  std::int64_t satisfaction_threshold = 0;
  // A job that uses less than each of these amounts loses no task; empty: no threshold. If no node has the
  // resource (kNoValue), every job uses none of it.
  std::vector<ResourceAmount> usage_threshold = {};
  bool gang = false;
};

SplitTerms split_terms(const EffectiveSettings& effective, JobId job);

// Sorts a job's placed tasks by start, oldest first (then by name), and sets the tier of each. The usage of
// the tasks before it decides, so the task that crosses a bound is on the protected side: taking it would
// bring the job below its share. If the fair share covers a job's demand, starving jobs may take none of its
// tasks; aggressively starving jobs may.
void split_tasks(std::vector<SplitTask>& tasks, const JobShares& shares, std::span<const Total> capacity,
                 const SplitTerms& terms);

// Splits the placed tasks of a job of the tree's group. All tasks of a gang get the tier of the most
// protected one. Tasks of an elastic job each have their own tier, because the job can lose them one by one.
std::vector<SplitTask> split_job(const EffectiveSettings& effective, const FairShareTree& tree,
                                 const FairShares& shares, JobId job);

// The most protected tier of the given rows, which must be among the split tasks.
TaskTier most_protected(std::span<const SplitTask> split, const UnitTasks& rows);

}  // namespace cede
