// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/plan.h"
#include "placement/device_allocator.h"
#include "placement/effective_requirement.h"
#include "placement/node_attributes.h"

namespace cede {

enum class PlacementResult : std::uint8_t { placed, no_room, undecided };

// The nodes to search: indexes into the space's nodes, ascending; empty means all.
using NodeList = std::span<const std::uint32_t>;

struct Arrangement {
  std::vector<PlannedTask> tasks;
  std::uint32_t outside = 0;   // reporting nodes outside the largest set, if that is a preference
  std::uint32_t borrowed = 0;  // nodes
};

// Assigns the request's tasks to nodes so that every hard entry of one requirement is met, or says that this
// is impossible. Requests of one task shape are decided exactly by counting, mixed ones by search. Everything
// counts in the space's work; if that ends, a no becomes `undecided`. The space is left unchanged.
class Arranger {
 public:
  Arranger(const RuleContext& rule_context, const NodeTable& nodes, Requirement require, Unknown unknown,
           Work& work);

  // If `out` is null, only decides whether there is an arrangement.
  PlacementResult arrange(const Space& space, NodeList within, Arrangement* out) const;

  const Requirement& require() const { return require_; }
  const NodeChoiceConstraints& need() const { return need_; }
  const NodeAttributes& attributes() const { return attributes_; }
  bool sharing_matters() const { return sharing_matters_; }
  // The allocator if all tasks are alike and their devices need not be of one model across nodes; else null.
  const DeviceAllocator* only_allocator() const;

 private:
  using DeviceAllocators = std::map<ShapeId, DeviceAllocator>;
  std::uint64_t devices_asked() const;
  NodeChoiceConstraints choice_need() const;
  void pin_placed_siblings(const NodeTable& nodes);
  std::vector<std::uint32_t> open_nodes(const Space& space, NodeList within) const;
  bool takes_any_nodes() const;
  PlacementResult count_tasks(const Space& space, NodeList within) const;
  PlacementResult find(const Space& space, NodeList within, Arrangement* out) const;
  PlacementResult arrange_alike(const Space& space, std::span<const std::uint32_t> open,
                                const DeviceAllocators& allocators, Arrangement* out) const;
  PlacementResult arrange_mixed(const Space& space, std::span<const std::uint32_t> open,
                                const DeviceAllocators& allocators, Arrangement* out) const;

  const RuleContext& context_;
  const Model& model_;
  const Requirement require_;
  const NodeAttributes attributes_;
  const bool sharing_matters_;
  const bool domains_shared_;  // some job asks for a whole domain
  bool alike_ = true;
  NodeChoiceConstraints need_;
  std::vector<DeviceAllocators>
      allocators_;  // one per model if all devices of the job must be of one model, else one
};

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
