// SPDX-License-Identifier: MIT
#include "policy/shares/starvation.h"

#include <algorithm>

namespace cede {

StarvationTerms starvation_terms(const EffectiveSettings& effective, JobId job) {
  return {.timeout = effective.job_setting(Setting::fair_share_starvation_timeout, job),
          .aggressive_timeout = effective.job_setting(Setting::fair_share_aggressive_starvation_timeout, job),
          .tolerance = effective.job_setting(Setting::fair_share_starvation_tolerance, job),
          .aggressive = effective.job_setting(Setting::enable_aggressive_starvation, job) != 0};
}

ShareStatus share_status(const JobShares& shares, std::int64_t tolerance) {
  const std::int64_t kept = covers_demand(shares) ? kWhole : tolerance;
  const bool below = is_below(shares, shares.usage, [&](std::size_t r) {
    return std::min<Wide>(part_of(shares.fair[r], kept), shares.demand[r]);
  });
  return below ? ShareStatus::below_fair_share : ShareStatus::normal;
}

Starvation starvation(ShareStatus status, Time below_since, Time now, const StarvationTerms& terms) {
  if (status == ShareStatus::normal || below_since == kNoTime) return Starvation::non_starving;
  const Duration below = now - below_since;
  if (below <= terms.timeout) return Starvation::non_starving;
  // A job may extend only its first timeout, so the first timeout is checked first: a job never starves
  // aggressively before it starves.
  return terms.aggressive && below > terms.aggressive_timeout ? Starvation::aggressively_starving
                                                              : Starvation::starving;
}

FairShareStatus::FairShareStatus(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight,
                                 Time now, const FairShareIndex* index)
    : effective_(effective),
      in_flight_(in_flight),
      now_(now),
      index_(index),
      own_tree_(index ? FairShareTree{} : fair_share_tree(effective, group)),
      own_shares_(index ? FairShares{} : compute_fair_shares(own_tree_.tree)),
      tree_(index ? index->tree() : own_tree_),
      shares_(index ? index->shares() : own_shares_) {}

ShareStatus FairShareStatus::status(JobId job) const {
  return share_status(of(job), starvation_terms(effective_, job).tolerance);
}

Time FairShareStatus::below_since(JobId job) const {
  const Time stated = effective_.model().job_state_times[job.value].below_fair_share_since;
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
