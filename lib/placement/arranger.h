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
#include "placement/node_attributes.h"
#include "placement/usable_nodes.h"

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

}  // namespace cede
