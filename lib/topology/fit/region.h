// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topology/fit/node_choice.h"

namespace cede {

using Region = std::vector<std::uint32_t>;  // offers, in order

// Chooses inside a region that meets every need about domains already: only numbers of nodes and tasks, sets
// of fingerprints and borrowed nodes are left. Exact as long as the work lasts; then the best found so far,
// or the roomiest nodes, and the work says so.
std::optional<NodeChoice> choose_in_region(std::span<const NodeOffer> offers, const Region& region,
                                           const NodeChoiceConstraints& need, bool only_whether, Work& work);

// The same for segments of nodes, each inside one domain.
std::optional<NodeChoice> choose_segments(std::span<const NodeOffer> offers, const Region& region,
                                          const NodeChoiceConstraints& need);

// Gives every chosen node its least and then fills them up in order. The nodes hold enough.
void hand_out_tasks(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need, NodeChoice& choice);

}  // namespace cede
