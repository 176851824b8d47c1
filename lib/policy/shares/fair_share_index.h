// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/shares/fair_share.h"
#include "policy/shares/task_split.h"
#include "policy/unit.h"

namespace cede {

// The fair shares of one group and the tiers of its placed tasks, kept from one state of the cluster to the
// next. Shares are computed anew only if demands, limits or weights changed; a job that starts or leaves its
// nodes and waits again changes only usage. Settings and resources stay the same.
class FairShareIndex {
 public:
  FairShareIndex(const EffectiveSettings& effective, GroupId group, std::vector<Total> capacity);

  // Leads the index from one state to the next. `changed`: the jobs whose rows or tasks differ, sorted.
  // Returns the placed tasks whose tier differs from what it was in that row.
  std::vector<TaskId> follow(const Model& before, const EffectiveSettings& now, std::vector<Total> capacity,
                             std::span<const JobId> changed);

  // Without the elements' names and limits, which would refer to a model.
  const FairShareTree& tree() const { return tree_; }
  const FairShares& shares() const { return shares_; }
  TaskTier tier(const UnitTasks& rows) const {
    TaskTier tier = TaskTier::preemptible;
    for (const TaskId row : rows) tier = std::min(tier, tiers_[row.value]);
    return tier;
  }
  // How often shares were computed and jobs were split.
  std::uint64_t computed() const { return computed_; }
  std::uint64_t split() const { return split_; }

 private:
  bool is_ours(const Model& model, JobId job) const;
  bool is_other_claim(const Model& before, const Model& now, JobId job) const;
  bool is_other_queue(const Model& before, const Model& now) const;
  void compute(const Model& model, std::vector<Total> capacity);
  void move(const Model& model, JobId job);
  void split(const EffectiveSettings& effective, JobId job, std::vector<TaskId>& differing);

  GroupId group_;
  JobAmounts amounts_;
  FairShareTree tree_;
  FairShares shares_;
  std::vector<TaskTier> tiers_;  // by task row; preemptible where nothing is placed
  std::uint64_t computed_ = 0;
  std::uint64_t split_ = 0;
};

}  // namespace cede
