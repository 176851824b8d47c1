// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace cede
