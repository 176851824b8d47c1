// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "model/in_flight.h"
#include "policy/shares/fair_share_tree.h"
#include "policy/shares/starvation.h"
#include "policy/shares/task_split.h"

namespace cede {

// Which jobs starve and which jobs may take which tasks, from the fair shares of one group at one moment. The
// shares are the library's own, because a separate oracle tests them. Must not outlive the model.
class FairFacts {
 public:
  FairFacts(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight, Time now);

  Starvation starvation(JobId job) const;
  // The tier of the most protected of these tasks of one job.
  TaskTier tier(JobId job, std::span<const TaskId> tasks) const;
  // The job's dominant fair share.
  Share fair_share(JobId job) const { return shares_.dominant[tree_.element(job)]; }

 private:
  const EffectiveSettings& effective_;
  const InFlight& in_flight_;
  const Time now_;
  const FairShareTree tree_;
  const FairShares shares_;
  mutable std::map<JobId, std::vector<SplitTask>> splits_;  // filled on demand
};

}  // namespace cede
