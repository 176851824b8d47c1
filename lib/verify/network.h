// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verify/plan_facts.h"

namespace cede {

// The index of a network level in the model; the number of levels if there is none of that name.
std::uint32_t level_number(const Model& model, std::string_view level);

// The node's domain of that level; none if it is in no domain.
DomainId domain_of(const Model& model, NodeId node, std::uint32_t level);

// The components of a node's fingerprint that the request chose, as one text. nullopt if the node does not
// report all of them, or the report is too old. A fingerprint given as one text counts for all requested
// components.
std::optional<std::string> fingerprint_of(const PlanFacts& facts, NodeId node);

}  // namespace cede
