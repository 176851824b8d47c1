// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "policy/fair_share_tree.h"

namespace cede {

// Where a job stands, resource by resource.
struct JobStanding {
  std::span<const Share> usage;
  std::span<const Share> fair;
  std::span<const Share> demand;
};

JobStanding standing_of(const FairShareTree& tree, const FairShares& shares, JobId job);

// Whether the job is due all it demands.
bool covers_demand(const JobStanding& standing);

// A ratio, in billionths, of a share. Wide, because thresholds may be large.
constexpr Wide part_of(Share share, std::int64_t ratio) {
  constexpr Wide kBillion = 1'000'000'000;
  return static_cast<Wide>(share) * ratio / kBillion;
}

// Whether a usage of this job is below a bound. Resources whose fair share meets the demand do not count, and
// it must be below in all that do: a job that has its part of one scarce resource is not short of its share.
// Where the fair share meets the whole demand, one resource it lacks is enough.
template <class Bound>
bool is_below(const JobStanding& standing, std::span<const Share> usage, Bound bound) {
  bool some = false;
  bool all = true;
  bool counted = false;
  for (std::size_t r = 0; r < usage.size(); ++r) {
    const bool lacks = share_less(usage[r], bound(r));
    some = some || lacks;
    if (!share_less(standing.fair[r], standing.demand[r])) continue;
    counted = true;
    all = all && lacks;
  }
  return counted ? all : some;
}

}  // namespace cede
