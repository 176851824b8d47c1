// SPDX-License-Identifier: MIT
#include "verify/fair_facts.h"

#include <algorithm>

namespace cede {

FairFacts::FairFacts(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight, Time now)
    : effective_(effective),
      in_flight_(in_flight),
      now_(now),
      tree_(fair_share_tree(effective, group)),
      shares_(compute_fair_shares(tree_.tree)) {}

// Since when the job is below its share: from the document, else from the engine.
Starvation FairFacts::starvation(JobId job) const {
  const StarvationTerms terms = starvation_terms(effective_, job);
  const ShareStatus status = share_status(job_shares_of(tree_, shares_, job), terms.tolerance);
  Time since = effective_.model().job_spells[job.value].below_fair_share_since;
  if (since == kNoTime) since = in_flight_.below_since(job);
  return cede::starvation(status, since, now_, terms);
}

TaskTier FairFacts::tier(JobId job, std::span<const TaskId> tasks) const {
  auto known = splits_.find(job);
  if (known == splits_.end()) known = splits_.emplace(job, split_job(effective_, tree_, shares_, job)).first;
  TaskTier tier = TaskTier::preemptible;
  for (const SplitTask& each : known->second) {
    if (std::find(tasks.begin(), tasks.end(), each.row) != tasks.end()) tier = std::min(tier, each.tier);
  }
  return tier;
}

}  // namespace cede
