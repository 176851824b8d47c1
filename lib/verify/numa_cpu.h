// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "verify/plan_facts.h"

namespace cede {

// The entry `cpu.numa` on the nodes of one plan: every task has its cpu and devices on as few NUMA nodes as
// it may use, all of them together.
class NumaPlaces {
 public:
  explicit NumaPlaces(const PlanFacts& facts) : facts_(facts) {}

  // Whether the tasks placed on the node keep to it, given the devices named for them. What would take too
  // long to find out counts as met.
  bool are_kept(NodeId node) const;

 private:
  // How many NUMA nodes a task of this shape may use: one for `single`, else as few as would do for it on an
  // empty node with its other hard entries. 0: none will do, or nobody can tell. Nothing: it takes too long.
  std::optional<std::uint32_t> limit(const NodeClass& node_class, TaskId task, Amount node_cpu) const;
  std::optional<std::uint32_t> fewest(const NodeClass& node_class, TaskId task, Amount node_cpu) const;
  // Cpu that is certainly free on each NUMA node.
  std::vector<Amount> free_cpu(NodeId node, const NodeClass& node_class) const;

  const PlanFacts& facts_;
  using Key = std::tuple<const NodeClass*, ShapeId, Amount>;
  mutable std::map<Key, std::optional<std::uint32_t>> limits_;
};

}  // namespace cede
