// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/answer_cache.h"
#include "search/victim_problem.h"

namespace cede {

// Why no set of the eligible units serves the request: the search that failed, and where that is not enough
// to tell, searches without `one-node` and without each cap. Leaves the space without the eligible units.
Verdict explain_no(DecisionContext& context, const VictimProblem& problem, const SearchResult& failed,
                   const std::vector<const Unit*>& eligible);

// Whether a topology that nobody gave could make the request fit into the space, and what is said then.
bool fits_if_topology_known(DecisionContext& context, const Placer& placer, const Space& space);
inline constexpr const char* kTopologyUnknown =
    "a hard entry of its requirement needs a topology that nobody gave";

// The request does not fit even with everybody gone who may go.
Verdict no_room_verdict(const NoRoom& found);

}  // namespace cede
