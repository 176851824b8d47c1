// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/shares/fair_share_tree.h"
#include "policy/unit.h"

namespace cede {

// Who may take a task: nobody, aggressively starving jobs, starving jobs. The most protected first.
enum class TaskTier : std::uint8_t { non_preemptible, aggressively_preemptible, preemptible };
inline constexpr std::array<std::string_view, 3> kTaskTiers{"non_preemptible", "aggressively_preemptible",
                                                            "preemptible"};

// A placed task of the job that is split.
struct SplitTask {
  TaskId row;
  Time start = 0;  // when what it runs now began
  std::string name = {};
  ResourceView resources = {};
  TaskTier tier = TaskTier::non_preemptible;
};

struct SplitTerms {
  std::int64_t aggressive_threshold = 0;  // billionths of the fair share, not above the other
  std::int64_t satisfaction_threshold = 0;
  // A job that uses less than each of these loses no task; empty: none. A resource nobody has (kNoValue) is
  // one of which every job uses nothing.
  std::vector<ResourceAmount> usage_threshold = {};
  bool gang = false;
};

SplitTerms split_terms(const EffectiveSettings& effective, JobId job);

// Sorts a job's placed tasks by start, oldest first (then by name), and says who may take each. A task is as
// protected as the usage of those before it is low, so the one that crosses a bound is on the safer side:
// taking it would bring the job below its share. A job that is due all it demands has no task that merely
// starving jobs may take.
void split_tasks(std::vector<SplitTask>& tasks, const JobShares& standing, std::span<const Total> capacity,
                 const SplitTerms& terms);

// The placed tasks of a job of the tree's group, split. The tasks of a gang are all as protected as the most
// protected of them; those of an elastic job each for itself, because it can lose them one by one.
std::vector<SplitTask> split_job(const EffectiveSettings& effective, const FairShareTree& tree,
                                 const FairShares& shares, JobId job);

// Of those of the given rows, which are among the split ones.
TaskTier most_protected(std::span<const SplitTask> split, const UnitTasks& rows);

}  // namespace cede
