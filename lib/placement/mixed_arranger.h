// SPDX-License-Identifier: MIT
#pragma once

#include "placement/arranger.h"

namespace cede {

// Arranges tasks of several shapes, or bound to nodes, by trying nodes for one task after the other as long
// as the space's work lasts. Of equal neighbours the later never goes to an earlier node, so no arrangement
// is tried twice. If the work ends with tasks in the order given, those that want the most devices go first.
// Fewer nodes outside the largest set and fewer borrowed ones are looked for first.
class MixedArranger {
 public:
  MixedArranger(const RuleContext& rule_context, const Space& space, const NodeAttributes& attributes,
                const Requirement& require, const NodeChoiceConstraints& need,
                std::span<const std::uint32_t> open, const std::map<ShapeId, DeviceAllocator>& allocators);
  PlacementResult run(Arrangement* out);

 private:
  // Bounds on what counts against an arrangement; `favoured` is the set of fingerprints they are counted by.
  struct Terms {
    std::uint32_t favoured = kNowhere;
    std::uint32_t outside = kNoBound;
    std::uint32_t borrowed = kNoBound;
  };
  bool search(const Terms& terms);
  void put_large_first();
  bool place_from(std::size_t task, const Terms& terms);
  bool may_add(std::uint32_t node, const Terms& terms);
  bool is_complete() const;
  bool segments_hold() const;
  bool seat_node(std::uint32_t node, std::vector<std::pair<std::size_t, DeviceAssignment>>* out,
                 Work& work) const;
  void write(Arrangement& out) const;
  bool improve(Arrangement& out);

  const RuleContext& context_;
  const Model& model_;
  const Space& space_;
  const NodeAttributes& attributes_;
  const Requirement& require_;
  const NodeChoiceConstraints& need_;
  const std::span<const std::uint32_t> open_;
  const std::map<ShapeId, DeviceAllocator>& allocators_;
  std::vector<std::size_t> order_;                 // tasks, as they are placed
  std::vector<std::size_t> at_;                    // of each of these: index into open_
  std::vector<std::vector<std::size_t>> on_node_;  // by index into open_: tasks
  std::vector<std::uint32_t> used_;                // nodes with a task, in the order they got one
  Work& work_;
};

PlannedTask planned_task(const RequestTask& asked, NodeId node, const DeviceAssignment& assignment);

}  // namespace cede
