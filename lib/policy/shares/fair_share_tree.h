// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "policy/settings/effective_settings.h"
#include "policy/shares/fair_share.h"

namespace cede {

// All queues and the jobs of one group as the computation of fair shares takes them, with what each uses. It
// refers to the model's names and limits and must not outlive it.
struct FairShareTree {
  ShareTree tree;
  std::vector<Share> usage;  // element by element, by resource
  std::vector<std::uint32_t> queue_elements;
  std::vector<std::uint32_t> job_elements;

  static constexpr std::uint32_t kNoElement = ShareElement::kNoParent;
  std::uint32_t element(QueueId queue) const { return queue_elements[queue.value]; }
  // kNoElement for a job of another group.
  std::uint32_t element(JobId job) const { return job_elements[job.value]; }
  std::span<const Share> usage_of(std::uint32_t element) const {
    return std::span(usage).subspan(element * tree.resources(), tree.resources());
  }
};

// Sum over the group's nodes that are up; of a resource that the group counts itself, what the group says.
// By resource.
std::vector<Total> group_capacity(const Model& model, GroupId group);

// A job demands what its placed and waiting tasks hold and ask for, and uses what the placed ones hold,
// whatever the state of their nodes.
FairShareTree fair_share_tree(const EffectiveSettings& effective, GroupId group);

// Where a job stands, resource by resource.
struct JobShares {
  std::span<const Share> usage;
  std::span<const Share> fair;
  std::span<const Share> demand;
};

JobShares standing_of(const FairShareTree& tree, const FairShares& shares, JobId job);

// Whether the job is due all it demands.
bool covers_demand(const JobShares& standing);

// A ratio, in billionths, of a share. Wide, because thresholds may be large.
constexpr Wide part_of(Share share, std::int64_t ratio) {
  constexpr Wide kBillion = 1'000'000'000;
  return static_cast<Wide>(share) * ratio / kBillion;
}

// Whether a usage of this job is below a bound. Resources whose fair share meets the demand do not count, and
// it must be below in all that do: a job that has its part of one scarce resource is not short of its share.
// Where the fair share meets the whole demand, one resource it lacks is enough.
template <class Bound>
bool is_below(const JobShares& standing, std::span<const Share> usage, Bound bound) {
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
