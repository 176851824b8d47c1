// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "placement/arranger.h"
#include "placement/device_allocator.h"

namespace cede {

// Seats tasks of several shapes on one node, by trying device sets for one task after the other. Of devices
// that are unknown it counts on those alone that are certainly free, so it may miss a seat but never invents
// one.
class MixedNode {
 public:
  MixedNode(const RuleContext& rule_context, const Space& space, std::size_t node,
            const std::map<ShapeId, DeviceAllocator>& allocators)
      : context_(rule_context), space_(space), node_(node), allocators_(allocators) {}

  // `shapes` are those of the tasks; `out` gets a seat each. False also where the work ends; it says so then.
  bool assign(const std::vector<ShapeId>& shapes, std::vector<DeviceAssignment>& out, Work& work);

 private:
  bool amounts_suffice(const std::vector<ShapeId>& shapes) const;
  bool numbers_suffice(const std::vector<ShapeId>& shapes) const;
  bool place(std::size_t task);
  bool try_set(std::size_t task, DeviceMask whole, std::uint32_t share_device);
  bool shares_numa_cpu(std::size_t tasks) const;

  const RuleContext& context_;
  const Space& space_;
  const std::size_t node_;
  const std::map<ShapeId, DeviceAllocator>& allocators_;
  const std::vector<ShapeId>* shapes_ = nullptr;
  std::vector<DeviceAssignment>* out_ = nullptr;
  Work* work_ = nullptr;
  DeviceMask free_ = 0;
  DeviceMask together_ = 0;
  std::vector<std::uint16_t> shared_;
  std::vector<Amount> numa_cpu_;     // certainly free on each NUMA node
  std::vector<NumaDemand> demands_;  // of the tasks seated so far, where `cpu.numa` is a demand
};

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
