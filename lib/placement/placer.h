// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "placement/arranger.h"
#include "placement/effective_requirement.h"

namespace cede {

// Where the whole request goes, and what counts against that.
struct Placement {
  std::vector<PlannedTask> tasks;
  std::int64_t preferences = 0;  // not met, plus the reporting nodes outside the largest set
  bool certain = true;           // no placement has less against it
  std::int64_t borrowed = 0;     // nodes
  std::vector<std::string> missed;
};

// Places a whole request in free space, or says that it does not fit. Prefers the placement that misses the
// fewest preferences, then the one with the fewest borrowed nodes. Caches what is prepared per requirement,
// so one Placer serves all sets of victims.
class Placer {
 public:
  Placer(const RuleContext& rule_context, const NodeTable& nodes, Work& work,
         Unknown unknown = Unknown::fails);

  PlacementResult fits(const Space& space, NodeList within = {}) const;
  PlacementResult place(const Space& space, NodeList within, Placement& out) const;

  // Whether the resources that the group counts are enough.
  bool has_group_room(const Space& space) const;
  // The total that the request asks of a resource.
  Total asked(std::uint32_t resource) const { return asked_[resource]; }
  const EffectiveRequirement& need() const { return need_; }
  // Whether a missing topology could make a difference.
  bool asks_topology() const {
    const DeviceAllocator* allocator = arranger().only_allocator();
    return !allocator || allocator->needs_fit();
  }
  // The arranger for the hard entries alone.
  const Arranger& arranger() const { return *arrangers_[0]; }
  // The hard entry without which the request would fit; empty if there is no single one.
  std::string hindrance(const Space& space) const;

 private:
  const Arranger& demanding(std::uint64_t preferences, Work& work) const;

  const RuleContext& context_;
  const EffectiveRequirement need_;
  std::vector<Total> asked_;
  std::size_t considered_ = 0;  // preferences that are tried in combination
  const NodeTable& nodes_;
  const Unknown unknown_;
  // By the set of demanded preferences. All but the first are made on demand, by the one thread that places
  // sets.
  mutable std::vector<std::unique_ptr<const Arranger>> arrangers_;
};

}  // namespace cede
