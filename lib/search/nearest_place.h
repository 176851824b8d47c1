// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "placement/placer.h"
#include "search/decision_context.h"

namespace cede {

// A place where the whole request could be: a node for one task, a domain if all tasks must be in one, else
// the group. `nodes` has all its nodes, usable or not, in order.
struct Place {
  std::string name;  // `leaf 'leaf-a'`
  std::vector<std::uint32_t> nodes;
  std::uint64_t tasks = 0;  // of the request for which there is room; 0 if tasks are unlike, too
  // The requested resource that is scarcest here, what is free of it, and what the request asks for.
  std::uint32_t resource = ResourceId::kNoValue;
  Total have = 0;
  Total asked = 0;
  // The node that lacks least for one task more, if tasks are alike; kNoValue: none lacks anything.
  std::uint32_t next = NodeId::kNoValue;
};

// The places with most room in this space, best first, at most `most`.
std::vector<Place> roomiest_places(const DecisionContext& context, const Placer& placer, const Space& space,
                                   std::size_t most);

// `it has 15 of 16 gpu`, `it has room for 1 of 2 tasks; node 'n1' has 7 of 8 gpu for the next`.
std::string what_is_missing(const DecisionContext& context, const Placer& placer, const Space& space,
                            const Place& place);

}  // namespace cede
