// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "model/limits.h"
#include "model/resources.h"
#include "policy/settings/effective_settings.h"
#include "policy/shares/water_filling.h"

namespace cede {

// A queue or a job in the computation of fair shares.
struct ShareElement {
  static constexpr std::uint32_t kNoParent = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t parent = kNoParent;  // the element of its queue; only the root has none
  bool is_job = false;
  std::string_view name;        // full name; remainders are handed out in the order of names
  Amount weight = kOne;         // 1 .. kMaxWeight
  Share given = kNoShare;       // the dominant share as computed by the site; it overrides ours
  ResourceView guarantee = {};  // absent: zero
  ResourceView max = {};        // absent: unlimited
};

// Queues and jobs of one group in any order, under one root; the result does not depend on the order.
struct ShareTree {
  std::vector<Total> capacity;  // by resource
  std::vector<ShareElement> elements;
  std::vector<Total> demand;  // by element, then resource: what a job holds and waits for

  std::size_t resources() const { return capacity.size(); }
};

// For each element and resource: the demand, the cap (the demand limited by `max`) and the fair share. For
// each element: the dominant fair share, or the share that the site gave instead.
struct FairShares {
  std::size_t resources = 0;
  std::vector<Share> demand;
  std::vector<Share> cap;
  std::vector<Share> fair;
  std::vector<Share> dominant;  // one per element

  std::span<const Share> demand_of(std::size_t element) const { return row(demand, element); }
  std::span<const Share> fair_of(std::size_t element) const { return row(fair, element); }

 private:
  std::span<const Share> row(const std::vector<Share>& all, std::size_t element) const {
    return std::span(all).subspan(element * resources, resources);
  }
};

// The root's fair share is its demand, up to the whole capacity. Every queue's share is divided among its
// queues and jobs (share_division.h). An element whose share the site gave takes that much of each resource
// in proportion to its demand; the other elements of its queue divide the rest.
FairShares compute_fair_shares(const ShareTree& tree);

// All queues and the jobs of one group as input of the fair share computation, with the usage of each. It
// refers to names and limits of the model and must not outlive it.
struct FairShareTree {
  ShareTree tree;
  std::vector<Share> usage;   // by element, then resource
  std::vector<Total> placed;  // the same as amounts; of a queue: of its whole subtree
  std::vector<std::uint32_t> queue_elements;
  std::vector<std::uint32_t> job_elements;

  static constexpr std::uint32_t kNoElement = ShareElement::kNoParent;
  std::uint32_t element(QueueId queue) const { return queue_elements[queue.value]; }
  // kNoElement for a job of another group.
  std::uint32_t element(JobId job) const { return job_elements[job.value]; }
  std::span<const Share> usage_of(std::uint32_t element) const {
    return std::span(usage).subspan(element * tree.resources(), tree.resources());
  }
  std::span<const Total> placed_of(std::uint32_t element) const {
    return std::span(placed).subspan(element * tree.resources(), tree.resources());
  }
};

// By resource: the sum over the group's nodes that are up. If the group states an amount itself, that amount.
std::vector<Total> group_capacity(const Model& model, GroupId group);

// What the jobs of one group hold and wait for. A job's demand is what its placed and waiting tasks request.
// Its usage is what the placed tasks hold, whatever the state of their nodes.
class JobAmounts {
 public:
  JobAmounts(const Model& model, GroupId group);

  enum class Change : std::uint8_t { none, moved, demand };  // moved: between placed and waiting

  // Counts a job anew.
  Change count(const Model& model, JobId job);
  std::span<const Total> placed(JobId job) const { return row(placed_, job); }
  std::span<const Total> waiting(JobId job) const { return row(waiting_, job); }

 private:
  std::span<const Total> row(const std::vector<Total>& all, JobId job) const {
    return std::span(all).subspan(job.value * resources_, resources_);
  }

  GroupId group_;
  std::size_t resources_;
  std::vector<Total> placed_;  // by job, then resource
  std::vector<Total> waiting_;
  std::vector<Total> counted_;  // one job's
};

FairShareTree fair_share_tree(const EffectiveSettings& effective, GroupId group);
// The same from amounts that are counted already. `capacity`: see group_capacity().
FairShareTree fair_share_tree(const Model& model, GroupId group, const JobAmounts& amounts,
                              std::vector<Total> capacity);

// A job's usage, fair share and demand, by resource.
struct JobShares {
  std::span<const Share> usage;
  std::span<const Share> fair;
  std::span<const Share> demand;
};

JobShares job_shares_of(const FairShareTree& tree, const FairShares& shares, JobId job);

// Whether the job's fair share covers its demand.
bool covers_demand(const JobShares& shares);

// A share times a ratio in billionths. Wide, because thresholds may be large.
constexpr Wide part_of(Share share, std::int64_t ratio) {
  constexpr Wide kBillion = 1'000'000'000;
  return static_cast<Wide>(share) * ratio / kBillion;
}

// Whether a usage of this job is below a bound. Only resources whose fair share is less than the demand
// count, and the usage must be below in all of them: a job that has its part of one scarce resource is not
// short of its share. If the fair share covers the whole demand, one resource below the bound is enough.
template <class Bound>
bool is_below(const JobShares& shares, std::span<const Share> usage, Bound bound) {
  bool some = false;
  bool all = true;
  bool counted = false;
  for (std::size_t r = 0; r < usage.size(); ++r) {
    const bool lacks = share_less(usage[r], bound(r));
    some = some || lacks;
    if (!share_less(shares.fair[r], shares.demand[r])) continue;
    counted = true;
    all = all && lacks;
  }
  return counted ? all : some;
}

}  // namespace cede
