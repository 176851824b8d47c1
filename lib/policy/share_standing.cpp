// SPDX-License-Identifier: MIT
#include "policy/share_standing.h"

namespace cede {

JobStanding standing_of(const FairShareTree& tree, const FairShares& shares, JobId job) {
  const std::uint32_t element = tree.element(job);
  return {tree.usage_of(element), shares.fair_of(element), shares.demand_of(element)};
}

bool covers_demand(const JobStanding& standing) {
  for (std::size_t r = 0; r < standing.fair.size(); ++r) {
    if (share_less(standing.fair[r], standing.demand[r])) return false;
  }
  return true;
}

}  // namespace cede
