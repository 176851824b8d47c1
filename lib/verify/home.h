// SPDX-License-Identifier: MIT
#pragma once

#include "verify/plan_facts.h"

namespace cede {

// Whether a job of this queue borrows the node: the node has a home queue, and the job's queue is neither
// that queue nor below it.
bool is_borrowed_by(const Model& model, QueueId queue, NodeId node);
bool is_borrowed(const Model& model, const VictimUnit& unit);

// Profile `class-cost`: whether the requester's class takes victims of this class.
bool class_allows(const PlanFacts& facts, int victim_class);

// Whether the waiting job may take back home nodes without a claim: `reclaim` is auto in its queue, and that
// queue or one above it is the home of some node.
bool may_reclaim(const PlanFacts& facts);
// Whether the unit borrows one of those nodes.
bool is_lent(const PlanFacts& facts, const VictimUnit& unit);
// Whether only that makes it eligible.
bool is_taken_back(const PlanFacts& facts, const VictimUnit& unit);

}  // namespace cede
