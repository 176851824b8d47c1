// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "search/need.h"
#include "search/space.h"
#include "search/terrain.h"
#include "topology/node_choice.h"

namespace cede {

// A network entry's segments with its levels as numbers.
SegmentNeed segment_need(const Terrain& terrain, const NetworkNeed& entry);
// Whether the nodes, by their numbers in the space, are whole segments.
bool are_segments(const Terrain& terrain, const SegmentNeed& segment, bool uniform,
                  const std::vector<std::uint32_t>& nodes);

// By preference of the need: whether a placement that did not ask for it misses it. Asked where the work
// ended before every combination of preferences was tried, so that what is told of a plan stays true.
std::vector<bool> missed_preferences(const Space& space, const Terrain& terrain, const Need& need,
                                     const std::vector<PlannedTask>& tasks);

}  // namespace cede
