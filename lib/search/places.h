// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "search/victim_search.h"

namespace cede {

// Splits a request into alternatives that are small problems of their own: the nodes for one task, the
// domains where all must be in one, else the whole group at once. A unit is in a place if it has a task
// there, or if it makes room in a queue or in what the group counts. `few`: that many candidates are searched
// as one. `one_node`: where the victims that make space must be.
std::vector<SearchPlace> split_into_places(const RuleContext& rule_context, const Placer& placer,
                                           const Space& space, const std::vector<const Unit*>& candidates,
                                           std::size_t few, OneNode one_node);

}  // namespace cede
