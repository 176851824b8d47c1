// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "model/node_class.h"
#include "model/requirement.h"

namespace cede {

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

}  // namespace cede
