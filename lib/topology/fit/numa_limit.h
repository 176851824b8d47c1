// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "topology/fit/node_rules.h"

namespace cede {

// How many NUMA nodes one task may use under `cpu.numa` (see NumaTerms::limit). For `restricted` and
// `best-effort` it is the least number of NUMA nodes of an empty node that have the cpu and, for the task's
// other hard entries, the devices, judged by what is known of the class. Where that is not enough to tell: 0,
// or as many as there are if the unknown passes. Nothing where the work ended before that was clear.
std::optional<std::uint32_t> find_numa_limit(const NodeClass& node_class, const Requirement& require,
                                             const TaskTerms& terms, Work& work);

}  // namespace cede
