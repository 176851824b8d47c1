// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "verify/plan_facts.h"

namespace cede {

// What counts against a placement: unmet `prefer` entries, with conformance `prefer` the nodes with a report
// outside the largest set, and nodes that are the home of another queue.
std::int64_t preferences_missed(const PlanFacts& facts);
std::int64_t borrowed_nodes(const PlanFacts& facts);

// Parts of the first: preferences about devices, NICs and NUMA nodes; preferences about the network; and the
// nodes outside the largest set.
std::int64_t device_preferences_missed(const PlanFacts& facts);
std::int64_t network_preferences_missed(const PlanFacts& facts);
std::int64_t nodes_outside_largest_set(const PlanFacts& facts);

}  // namespace cede
