// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "placement/arranger.h"
#include "placement/effective_requirement.h"

namespace cede {

// A place for the whole request, and what counts against it.
struct Placement {
  std::vector<PlannedTask> tasks;
  std::int64_t preferences = 0;  // not met, with the reporting nodes outside the largest set
  bool certain = true;           // that no place counts less against it
  std::int64_t borrowed = 0;     // nodes
  std::vector<std::string> missed;
};

// Puts a whole request into free space, or says that it does not fit. Of several places the one that misses
// the fewest preferences, then the one that borrows the fewest nodes. Keeps what is prepared per requirement,
// so one serves for all sets of victims that are tried.
class Placer {
 public:
  Placer(const RuleContext& rule_context, const NodeTable& nodes, Work& work,
         Unknown unknown = Unknown::fails);

  PlacementResult fits(const Space& space, NodeList within = {}) const;
  PlacementResult place(const Space& space, NodeList within, Placement& out) const;

  // Whether what the group itself counts is enough.
  bool has_group_room(const Space& space) const;
  // The request's sum of a resource.
  Total asked(std::uint32_t resource) const { return asked_[resource]; }
  const EffectiveRequirement& need() const { return need_; }
  // Whether a topology that nobody gave could make a difference.
  bool asks_topology() const {
    const DeviceAllocator* allocator = arranger().only_allocator();
    return !allocator || allocator->needs_fit();
  }
  // What puts tasks where every hard entry is met.
  const Arranger& arranger() const { return *arrangers_[0]; }
  // The hard entry without which the request would fit; empty where there is no single one.
  std::string hindrance(const Space& space) const;

 private:
  const Arranger& demanding(std::uint64_t preferences, Work& work) const;

  const RuleContext& context_;
  const EffectiveRequirement need_;
  std::vector<Total> asked_;
  std::size_t considered_ = 0;  // preferences that are tried one by one
  const NodeTable& nodes_;
  const Unknown unknown_;
  // By the preferences demanded. All but the first are made when they are asked for, by the one thread that
  // places sets.
  mutable std::vector<std::unique_ptr<const Arranger>> arrangers_;
};

}  // namespace cede
