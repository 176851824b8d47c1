// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "verify/plan_facts.h"

namespace cede {

// Which nodes the request may use at all, whatever is free there: nodes of its group that are up and allowed
// by the terms of the query, by reservations, by the hosts of its requirement and by `borrowed-node`.
class UsableNodes {
 public:
  explicit UsableNodes(const PlanFacts& facts);
  // Why the request may not use the node; empty: it may.
  std::string fault(NodeId node) const;

 private:
  const PlanFacts& facts_;
  const bool avoids_borrowed_;
};

// What counts against a placement: unmet `prefer` entries, with conformance `prefer` the nodes with a report
// outside the largest set, and nodes that are the home of another queue.
std::int64_t preferences_missed(const PlanFacts& facts);
std::int64_t borrowed_nodes(const PlanFacts& facts);

// Parts of the first: preferences about devices, NICs and NUMA nodes; preferences about the network; and the
// nodes outside the largest set.
std::int64_t device_preferences_missed(const PlanFacts& facts);
std::int64_t network_preferences_missed(const PlanFacts& facts);
std::int64_t nodes_outside_largest_set(const PlanFacts& facts);

// The index of a network level in the model; the number of levels if there is none of that name.
std::uint32_t level_number(const Model& model, std::string_view level);

// The node's domain of that level; none if it is in no domain.
DomainId domain_of(const Model& model, NodeId node, std::uint32_t level);

// The components of a node's fingerprint that the request chose, as one text. nullopt if the node does not
// report all of them, or the report is too old. A fingerprint given as one text counts for all requested
// components.
std::optional<std::string> fingerprint_of(const PlanFacts& facts, NodeId node);

}  // namespace cede
