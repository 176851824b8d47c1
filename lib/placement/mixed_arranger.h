// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "placement/device_allocator.h"
#include "placement/placer.h"

namespace cede {

// Assigns devices to tasks of several shapes on one node by trying device sets task by task. If devices are
// unknown it uses only those that are certainly free, so it may miss an assignment but never returns a wrong
// one.
class MixedNode {
 public:
  MixedNode(const RuleContext& rule_context, const Space& space, std::size_t node,
            const std::map<ShapeId, DeviceAllocator>& allocators)
      : context_(rule_context), space_(space), node_(node), allocators_(allocators) {}

  // `shapes`: one per task; `out` gets one assignment each. Also false if the work ends; the work then
  // records it.
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
  std::vector<NumaDemand> demands_;  // of the tasks assigned so far, if `cpu.numa` is a hard entry
};

// Arranges tasks of several shapes, or tasks bound to nodes, by trying nodes task by task while the space's
// work lasts. Of equal neighbours the later one never goes to an earlier node, so no arrangement is tried
// twice. Attempts with the tasks in the given order and with those with the most devices first take turns,
// each with more work. Fewer nodes outside the largest set and fewer borrowed nodes are better.
class MixedArranger {
 public:
  MixedArranger(const RuleContext& rule_context, const Space& space, const NodeAttributes& attributes,
                const Requirement& require, const NodeChoiceConstraints& need,
                std::span<const std::uint32_t> open, const std::map<ShapeId, DeviceAllocator>& allocators);
  PlacementResult run(Arrangement* out);

 private:
  // Bounds on the penalties of an arrangement. `favoured` is the set of fingerprints that counts as the
  // largest.
  struct Terms {
    std::uint32_t favoured = kNowhere;
    std::uint32_t outside = kNoBound;
    std::uint32_t borrowed = kNoBound;
  };
  Total most_tasks(std::uint32_t node, ShapeId shape) const;
  Total held_by(ShapeId large, ShapeId small) const;
  bool could_fit() const;
  bool search(const Terms& terms);
  void put_large_first();
  bool place_from(std::size_t task, const Terms& terms);
  bool may_add(std::uint32_t node, const Terms& terms);
  bool is_complete() const;
  bool segments_hold() const;
  bool assign_on_node(std::uint32_t node, std::vector<std::pair<std::size_t, DeviceAssignment>>* out,
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
  std::vector<std::size_t> order_;                 // tasks in the order of placing
  std::vector<std::size_t> at_;                    // by position in order_: index into open_
  std::vector<std::vector<std::size_t>> on_node_;  // by index into open_: tasks
  std::vector<std::uint32_t> used_;                // indexes of nodes with a task, in the order of first use
  Work& work_;
};

PlannedTask planned_task(const RequestTask& asked, NodeId node, const DeviceAssignment& assignment);

}  // namespace cede
