// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "verify/plan_facts.h"

namespace cede {

// The entry `cpu.numa` on the nodes of one plan: all tasks together have their cpu and devices on as few NUMA
// nodes as each may use.
class NumaPlaces {
 public:
  explicit NumaPlaces(const PlanFacts& facts) : facts_(facts) {}

  // Whether the tasks placed on the node meet the entry with the devices named for them. True if the check
  // would take too long.
  bool are_kept(NodeId node) const;

 private:
  // How many NUMA nodes a task of this shape may use: one for `single`, else as few as the task would need on
  // an empty node under its other hard entries. 0: no number is enough, or it is unknown. nullopt: the check
  // takes too long.
  std::optional<std::uint32_t> limit(const NodeClass& node_class, TaskId task, Amount node_cpu) const;
  std::optional<std::uint32_t> fewest(const NodeClass& node_class, TaskId task, Amount node_cpu) const;
  // Cpu that is certainly free on each NUMA node.
  std::vector<Amount> free_cpu(NodeId node, const NodeClass& node_class) const;

  const PlanFacts& facts_;
  using Key = std::tuple<const NodeClass*, ShapeId, Amount>;
  mutable std::map<Key, std::optional<std::uint32_t>> limits_;
};

}  // namespace cede
