// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/answer_cache.h"
#include "search/victim_problem.h"

namespace cede {

// Why no set of the eligible units serves the request. Looks at the failed search and, if that is not enough,
// searches without `one-node` and without each cap. Leaves the space without the eligible units.
Verdict explain_no(DecisionContext& context, const VictimProblem& problem, const SearchResult& failed,
                   const std::vector<const Unit*>& eligible);

// Whether the request could fit into the space if a missing topology were known, and the reason for that
// case.
bool fits_if_topology_known(DecisionContext& context, const Placer& placer, const Space& space);
inline constexpr const char* kTopologyUnknown =
    "a hard entry of its requirement needs a topology that nobody gave";

// The request does not fit even with all candidates gone.
Verdict no_room_verdict(const NoRoom& found);

}  // namespace cede
