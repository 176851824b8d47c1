// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "model/in_flight.h"
#include "policy/shares/fair_share_tree.h"
#include "policy/shares/starvation.h"
#include "policy/shares/task_split.h"
#include "policy/unit.h"

namespace cede {

// Fair shares of one group at one moment, and what they mean for its jobs: which jobs starve, and which jobs
// may take which tasks. It must not outlive the model, and two threads must not use it at once, because
// splits are cached on first use.
class FairShareStatus {
 public:
  FairShareStatus(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight, Time now);

  const FairShareTree& tree() const { return tree_; }
  const FairShares& shares() const { return shares_; }
  JobShares of(JobId job) const { return job_shares_of(tree_, shares_, job); }

  ShareStatus status(JobId job) const;
  // Since when the job is below its share: from the document, else from the engine. kNoTime: it was found
  // below just now.
  Time below_since(JobId job) const;
  Starvation starvation(JobId job) const;
  const std::vector<SplitTask>& split(JobId job) const;
  TaskTier tier(const Unit& unit) const { return most_protected(split(unit.job), unit.tasks); }

 private:
  const EffectiveSettings& effective_;
  const InFlight& in_flight_;
  const Time now_;
  const FairShareTree tree_;
  const FairShares shares_;
  mutable std::map<std::uint32_t, std::vector<SplitTask>> splits_;
};

}  // namespace cede
