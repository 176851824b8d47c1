// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verify/plan_facts.h"

namespace cede {

// The position of a network level among the model's; as many as there are where there is none of that name.
std::uint32_t level_number(const Model& model, std::string_view level);

// The domain of that level that the node is in; none where it is in none.
DomainId domain_of(const Model& model, NodeId node, std::uint32_t level);

// The components of a node's fingerprint that the request chose, as one text; nothing where the node does not
// report all of them, or did so too long ago. A fingerprint given as one text stands for whatever components
// are asked for.
std::optional<std::string> fingerprint_of(const PlanFacts& facts, NodeId node);

}  // namespace cede
