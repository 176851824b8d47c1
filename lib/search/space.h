// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"

namespace cede {

// One node as a plan sees it: what is free of each resource and which devices are held by whom it is known.
struct NodeSpace {
  NodeId id;
  bool usable = true;                               // for the request at hand
  std::vector<Total> free;                          // per resource; negative on an overcommitted node
  std::uint32_t devices = 0;                        // how many it has
  std::uint32_t unknown_holders = 0;                // tasks that hold devices without saying which
  DeviceMask whole = 0;                             // devices held whole
  std::array<std::uint16_t, kMaxDevices> shared{};  // thousandths held of the others

  DeviceMask free_devices() const;
};

// Free space of a group, node by node, with the group's own counted resources and every queue's usage. Tasks
// can be taken out and put back, which is how a search tries sets of victims.
class Space {
 public:
  enum class Fill : std::uint8_t { as_it_is, empty };
  Space(const Model& model, GroupId group, Fill fill = Fill::as_it_is);

  const Model& model() const { return model_; }
  GroupId group() const { return group_; }
  // Nodes in the byte order of their names.
  std::span<NodeSpace> nodes() { return nodes_; }
  std::span<const NodeSpace> nodes() const { return nodes_; }

  void release(TaskId task);
  void take(TaskId task);

  // What is left of a resource that the group counts; kUnlimited where it counts none.
  static constexpr Total kUnlimited = static_cast<Total>(1) << 100;
  Total group_free(std::uint32_t resource) const { return group_free_[resource]; }
  bool counted_by_group(std::uint32_t resource) const { return group_free_[resource] != kUnlimited; }
  // What the queue's subtree uses in this group.
  Total usage(QueueId queue, std::uint32_t resource) const {
    return usage_[queue.value * resources_ + resource];
  }
  // Sum over the group's nodes that are up.
  Total capacity(std::uint32_t resource) const { return capacity_[resource]; }

 private:
  void move(TaskId task, int sign);

  const Model& model_;
  const GroupId group_;
  const std::size_t resources_;
  std::uint32_t gpu_ = ResourceId::kNoValue;
  std::vector<NodeSpace> nodes_;
  std::vector<std::uint32_t> node_index_;  // by NodeId; kNoValue outside the group
  std::vector<Total> group_free_;
  std::vector<Total> usage_;
  std::vector<Total> capacity_;
};

}  // namespace cede
