// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "model/limits.h"
#include "model/resources.h"
#include "policy/shares/share.h"

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
  std::span<const Share> cap_of(std::size_t element) const { return row(cap, element); }
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

}  // namespace cede
