// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace cede
