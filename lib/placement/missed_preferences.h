// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "placement/effective_requirement.h"
#include "placement/node_attributes.h"
#include "placement/space.h"
#include "topology/fit/node_choice.h"

namespace cede {

// A network entry's segments with its levels as numbers.
SegmentConstraint segment_need(const NodeAttributes& attributes, const NetworkRequirement& entry);
// Whether the nodes, by their numbers in the space, are whole segments.
bool are_segments(const NodeAttributes& attributes, const SegmentConstraint& segment, bool uniform,
                  const std::vector<std::uint32_t>& nodes);

// By preference of the need: whether a placement that did not ask for it misses it. Asked where the work
// ended before every combination of preferences was tried, so that what is told of a plan stays true.
std::vector<bool> missed_preferences(const Space& space, const NodeAttributes& attributes,
                                     const EffectiveRequirement& need, const std::vector<PlannedTask>& tasks);

}  // namespace cede
