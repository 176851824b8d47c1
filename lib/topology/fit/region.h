// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topology/fit/node_choice.h"

namespace cede {

using Region = std::vector<std::uint32_t>;  // indexes of offers, in order

// Chooses inside a region that already meets every domain constraint. Only the numbers of nodes and tasks,
// fingerprint sets and borrowed nodes remain. Exact until the work runs out; then the result is the best
// choice so far, or the nodes with the most room, and `work` records it.
std::optional<NodeChoice> choose_in_region(std::span<const NodeOffer> offers, const Region& region,
                                           const NodeChoiceConstraints& need, bool only_whether, Work& work);

// The same for segments of nodes, each inside one domain.
std::optional<NodeChoice> choose_segments(std::span<const NodeOffer> offers, const Region& region,
                                          const NodeChoiceConstraints& need);

// Gives every chosen node its minimum and then fills the nodes in order. The nodes must hold the request.
void hand_out_tasks(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need, NodeChoice& choice);

}  // namespace cede
