// SPDX-License-Identifier: MIT
#include "policy/shares/fair_share_status.h"

namespace cede {

FairShareStatus::FairShareStatus(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight,
                                 Time now)
    : effective_(effective),
      in_flight_(in_flight),
      now_(now),
      tree_(fair_share_tree(effective, group)),
      shares_(compute_fair_shares(tree_.tree)) {}

ShareStatus FairShareStatus::status(JobId job) const {
  return share_status(of(job), starvation_terms(effective_, job).tolerance);
}

Time FairShareStatus::below_since(JobId job) const {
  const Time stated = effective_.model().job_spells[job.value].below_fair_share_since;
  return stated != kNoTime ? stated : in_flight_.below_since(job);
}

Starvation FairShareStatus::starvation(JobId job) const {
  return cede::starvation(status(job), below_since(job), now_, starvation_terms(effective_, job));
}

const std::vector<SplitTask>& FairShareStatus::split(JobId job) const {
  const auto known = splits_.find(job.value);
  if (known != splits_.end()) return known->second;
  return splits_.emplace(job.value, split_job(effective_, tree_, shares_, job)).first->second;
}

}  // namespace cede
