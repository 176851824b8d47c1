// SPDX-License-Identifier: MIT
#include "policy/shares/task_split.h"

#include <algorithm>

namespace cede {

namespace {

bool below_usage_threshold(std::span<const SplitTask> tasks, const SplitTerms& terms) {
  for (const ResourceAmount& bound : terms.usage_threshold) {
    Total usage = 0;
    for (const SplitTask& task : tasks) usage += amount_of(task.resources, bound.resource);
    if (usage >= bound.amount) return false;
  }
  return !terms.usage_threshold.empty();
}

}  // namespace

SplitTerms split_terms(const EffectiveSettings& effective, JobId job) {
  const Model& model = effective.model();
  const QueueId queue = model.jobs[job].queue;
  SplitTerms terms{
      .aggressive_threshold = effective.setting(Setting::aggressive_preemption_satisfaction_threshold, queue),
      .satisfaction_threshold = effective.setting(Setting::preemption_satisfaction_threshold, queue),
      .gang = effective.is_gang(job) && model.job_extras[job.value].min_tasks == 0};
  for (const auto& [resource, amount] : effective.usage_threshold(queue))
    terms.usage_threshold.push_back({amount, model.find_resource(resource), 0});
  return terms;
}

void split_tasks(std::vector<SplitTask>& tasks, const JobShares& shares, std::span<const Total> capacity,
                 const SplitTerms& terms) {
  std::sort(tasks.begin(), tasks.end(), [](const SplitTask& a, const SplitTask& b) {
    return a.start != b.start ? a.start < b.start : a.name < b.name;
  });
  const bool small = below_usage_threshold(tasks, terms);
  const bool satisfied = covers_demand(shares);
  std::vector<Total> before(capacity.size(), 0);
  std::vector<Share> usage(capacity.size(), 0);
  for (SplitTask& task : tasks) {
    for (std::size_t r = 0; r < capacity.size(); ++r) usage[r] = share_of(before[r], capacity[r]);
    const auto below = [&](std::int64_t threshold) {
      return is_below(shares, usage, [&](std::size_t r) { return part_of(shares.fair[r], threshold); });
    };
    if (small || below(terms.aggressive_threshold)) {
      task.tier = TaskTier::non_preemptible;
    } else if (satisfied || below(terms.satisfaction_threshold)) {
      task.tier = TaskTier::aggressively_preemptible;
    } else {
      task.tier = TaskTier::preemptible;
    }
    for (const ResourceAmount& entry : task.resources) before[entry.resource] += entry.amount;
  }
  // The oldest task is the most protected, because the usage before a task only grows.
  if (terms.gang) {
    for (SplitTask& task : tasks) task.tier = tasks.front().tier;
  }
}

std::vector<SplitTask> split_job(const EffectiveSettings& effective, const FairShareTree& tree,
                                 const FairShares& shares, JobId job) {
  const Model& model = effective.model();
  const JobCore& core = model.jobs[job];
  std::vector<SplitTask> tasks;
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const TaskId row{core.first_task.value + k};
    if (!model.tasks.core(row).node) continue;
    tasks.push_back({.row = row,
                     .start = effective.task_start(row),
                     .name = model.task_name(core, k),
                     .resources = model.shape(model.tasks.core(row).resources)});
  }
  split_tasks(tasks, job_shares_of(tree, shares, job), tree.tree.capacity, split_terms(effective, job));
  return tasks;
}

TaskTier most_protected(std::span<const SplitTask> split, const UnitTasks& rows) {
  TaskTier tier = TaskTier::preemptible;
  for (const SplitTask& task : split) {
    if (std::find(rows.begin(), rows.end(), task.row) != rows.end()) tier = std::min(tier, task.tier);
  }
  return tier;
}

}  // namespace cede
