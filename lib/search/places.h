// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/victim_search.h"

namespace cede {

// Splits a request into places: the nodes for one task, the domains if all tasks must be in one, else the
// whole group. A unit belongs to a place if it has a task there, or if it makes room in a queue or in a
// resource that the group counts. `few`: up to so many candidates are searched as one place. `one_node`:
// where the victims that make space must be.
std::vector<SearchPlace> split_into_places(const RuleContext& rule_context, const Placer& placer,
                                           const Space& space, const std::vector<const Unit*>& candidates,
                                           std::size_t few, OneNode one_node);

}  // namespace cede
