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

}  // namespace cede
