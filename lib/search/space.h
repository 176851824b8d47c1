// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/asking.h"

namespace cede {

// One node as a plan sees it: what is free of each resource and which devices are held, as far as that is
// known.
struct NodeSpace {
  NodeId id;
  bool usable = true;           // for the request at hand
  Total* free = nullptr;        // per resource; negative on an overcommitted node
  std::uint32_t devices = 0;    // how many it has
  std::uint32_t unknown = 0;    // held by tasks that do not say which; each part of one counts as a whole
  DeviceMask whole = 0;         // held whole
  DeviceMask unknown_pool = 0;  // where those unknown ones may be: not held by anybody known today
  std::vector<std::uint16_t> shared;  // thousandths held of each device; empty: nothing is shared
  std::uint32_t blocked = 0;          // how many decisions in flight keep space that nobody holds
  Total blocked_cpu = 0;              // of it, cpu: on which NUMA node is not known

  DeviceMask all_devices() const;
  DeviceMask free_devices() const;  // of which nothing is held by anybody known
  std::uint32_t shared_of(std::uint32_t device) const { return shared.empty() ? 0 : shared[device]; }
};

// Free space of a group, node by node, with the group's own counted resources and every queue's usage. Tasks
// can be taken out and put back, which is how a search tries sets of victims.
class Space {
 public:
  enum class Fill : std::uint8_t { as_it_is, empty };
  explicit Space(const Asking& asking, Fill fill = Fill::as_it_is);
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  const Model& model() const { return model_; }
  const Asking& asking() const { return asking_; }
  // Nodes in the byte order of their names.
  std::span<NodeSpace> nodes() { return nodes_; }
  std::span<const NodeSpace> nodes() const { return nodes_; }
  // Where the node is among them; kNoValue outside the group.
  std::uint32_t index_of(NodeId node) const { return node_index_[node.value]; }

  void release(TaskId task);
  void take(TaskId task);
  // Whether the task still holds what it was given.
  bool holds(TaskId task) const { return holds_[task.value]; }

  // What is left of a resource that the group counts.
  Total group_free(std::uint32_t resource) const { return group_free_[resource]; }
  bool counted_by_group(std::uint32_t resource) const { return usage_.counted_by_group(resource); }
  // What every queue's subtree uses in this group.
  const GroupUsage& usage() const { return usage_; }

 private:
  // What is blocked by a decision in flight; it goes and comes back with the first task of its hold.
  struct Kept {
    TaskId with;  // none: stays
    std::uint32_t node = ResourceId::kNoValue;
    std::vector<ResourceAmount> amounts;
    DeviceMask gpus = 0;
    std::vector<DeviceShare> shares;
    std::uint32_t unknown = 0;
  };
  void move(TaskId task, int sign);
  void block_what_is_kept();
  void block(const Kept& kept, int sign);

  const Asking& asking_;
  const Model& model_;
  const std::size_t resources_;
  const std::uint32_t gpu_;
  GroupUsage usage_;
  std::vector<Total> free_;
  std::vector<NodeSpace> nodes_;
  std::vector<std::uint32_t> node_index_;
  std::vector<Total> group_free_;
  std::vector<bool> holds_;  // by task row

  std::vector<Kept> kept_;
};

}  // namespace cede
