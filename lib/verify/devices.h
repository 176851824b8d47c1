// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/node_class.h"
#include "model/requirement.h"
#include "verify/plan_facts.h"

namespace cede {

// The holders of the devices of one node once the victims are gone.
struct FreeDevices {
  FreeDevices(const PlanFacts& facts, NodeId node);

  std::uint32_t count = 0;                          // devices of the node
  DeviceMask busy = 0;                              // held as a whole by tasks that stay
  std::array<std::uint32_t, kMaxDevices> shared{};  // in thousandths, by tasks that stay
  // Devices of tasks that stay and do not name them; a part of a device counts as one.
  Amount unknown = 0;
  // Devices whose holders are known today. A task that does not name its devices cannot be on these.
  DeviceMask named_today = 0;
  // Whether decisions in flight keep devices for other requests here: by name, or as a number only. A task
  // that gets no names may take a device kept by name; a device given by name may be taken by one that
  // waits for a number.
  bool kept_by_name = false;
  bool kept_by_number = false;

  DeviceMask partly() const;
};

// Whether each node has as many free devices as the request's tasks there need in total, whichever devices
// the tasks that do not name theirs hold.
bool has_enough_devices(const PlanFacts& facts);

// Entries of a requirement about devices, as plain claims on one node class. What the class leaves unknown
// counts as no. An empty set meets every entry.

// Whether two devices are certainly related: at `nvl` by a link that is not degraded, at the other levels by
// a mask that contains both.
bool are_related(const NodeClass& node_class, GpuLevel level, std::uint32_t a, std::uint32_t b);

// An entry of `gpus`.
bool meets(const NodeClass& node_class, const GpuRequirement& need, DeviceMask set);
// The entry `nic`.
bool meets(const NodeClass& node_class, const NicRequirement& need, DeviceMask set);
// `gpu_model`: each device is one of these models; an empty list means any.
bool are_of_models(const NodeClass& node_class, std::span<const std::string> models, DeviceMask set);
// `uniform_model`: all devices have one model. A single device passes even if its model is not known.
bool are_of_one_model(const NodeClass& node_class, DeviceMask set);

// The NUMA nodes of the devices, one bit each; and whether every device is in a NUMA node.
std::uint64_t numa_nodes_of(const NodeClass& node_class, DeviceMask set);
bool are_in_numa_nodes(const NodeClass& node_class, DeviceMask set);

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
