// SPDX-License-Identifier: MIT
#include "policy/rules/no_gain.h"

#include <map>
#include <set>

#include "base/text.h"
#include "policy/fair_standing.h"

namespace cede {

namespace {

// A job's usage without some of its tasks, as the share of the resource it uses most.
Share usage_without(const Asking& asking, JobId job, const std::set<TaskId>& gone) {
  const Model& model = asking.model();
  const JobCore& core = model.jobs[job];
  std::vector<Total> used(asking.usage.resources(), 0);
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const TaskId task{core.first_task.value + k};
    if (!model.tasks.core(task).node || gone.contains(task)) continue;
    for (const ResourceAmount& entry : model.shape(model.tasks.core(task).resources))
      used[entry.resource] += entry.amount;
  }
  Share most = 0;
  for (std::uint32_t r = 0; r < used.size(); ++r)
    most = std::max(most, share_of(used[r], asking.usage.capacity(r)));
  return most;
}

}  // namespace

// What every job that loses something still uses is counted anew.
std::uint64_t NoGain::work(std::span<const Unit* const> victims) const {
  std::uint64_t sum = 10;
  for (const Unit* unit : victims) sum += 20 + model().jobs[unit->job].task_rows;
  return sum;
}

bool NoGain::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (!asking_.requester()) return false;
  std::map<JobId, std::set<TaskId>> lost;
  std::set<JobId> within;  // jobs that lose a task within their share
  for (const Unit* unit : victims) {
    lost[unit->job].insert(unit->tasks.begin(), unit->tasks.end());
    if (asking_.fair->tier(*unit) == TaskTier::aggressively_preemptible) within.insert(unit->job);
  }
  const auto fair = [&](JobId job) {
    const FairStanding& standing = *asking_.fair;
    return static_cast<Wide>(standing.shares().dominant[standing.tree().element(job)]);
  };
  const Wide own_usage = usage_without(asking_, asking_.requester(), {});
  const Wide own_fair = fair(asking_.requester());
  for (const JobId job : within) {
    const Wide left = usage_without(asking_, job, lost[job]);
    if (more_satisfied(left, fair(job), own_usage, own_fair)) continue;
    if (why)
      *why = "job " + quote(model().job_name(job)) + " would be no more satisfied than the requester is now";
    return true;
  }
  return false;
}

}  // namespace cede
