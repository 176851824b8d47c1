// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "verify/plan_facts.h"

namespace cede {

// Which nodes the request may use at all, whatever is free there: of its group, up, allowed by the terms of
// the question, by reservations, by its requirement's hosts and by `borrowed-node`.
class UsableNodes {
 public:
  explicit UsableNodes(const PlanFacts& facts);
  // Why it may not use the node; empty where it may.
  std::string fault(NodeId node) const;

 private:
  const PlanFacts& facts_;
  const bool avoids_borrowed_;
};

}  // namespace cede
