// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "placement/effective_requirement.h"
#include "placement/node_attributes.h"
#include "placement/space.h"
#include "topology/fit/node_choice.h"

namespace cede {

// The segments of a network entry, with its levels as numbers.
SegmentConstraint segment_need(const NodeAttributes& attributes, const NetworkRequirement& entry);
// Whether the nodes, by their numbers in the space, form whole segments.
bool are_segments(const NodeAttributes& attributes, const SegmentConstraint& segment, bool uniform,
                  const std::vector<std::uint32_t>& nodes);

// By preference: whether a placement that did not demand it misses it. Used if the work ended before every
// combination of preferences was tried, so that what a plan says stays true.
std::vector<bool> missed_preferences(const Space& space, const NodeAttributes& attributes,
                                     const EffectiveRequirement& need, const std::vector<PlannedTask>& tasks);

}  // namespace cede
