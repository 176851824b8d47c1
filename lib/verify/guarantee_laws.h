// SPDX-License-Identifier: MIT
#pragma once

#include "verify/plan_facts.h"

namespace cede {

// What the laws of profile `guarantee` say about queues. Usage is as it is before anybody leaves.

// Whether the request would bring the queue over its `max`.
bool would_exceed_max(const PlanFacts& facts, QueueId queue);

// Law 7: walking up from the request's queue, the first fenced one or the first that the request would bring
// over its `max`; else the root.
QueueId fence_above(const PlanFacts& facts);

// Law 4: the lowest queue of the path, inside the fence, that guarantees a requested resource and uses less
// of it than guaranteed; with `within_guarantee` the request must fit into what is missing. None: nothing
// justifies the request.
QueueId justifying_queue(const PlanFacts& facts);

// Laws 2 and 5: a queue and resource that, with so much lost below each queue and the request placed, would
// hold less than its guarantee and less than it holds now. None: every guarantee is kept.
QueueId queue_below_guarantee(const PlanFacts& facts, const std::map<QueueId, PlanFacts::Amounts>& lost);

// What one unit takes from its queue and those above.
std::map<QueueId, PlanFacts::Amounts> lost_by(const PlanFacts& facts, const VictimUnit& unit);

// Whether laws 4 and 5 are waived: `intra_queue`, and the victim is of the requester's own leaf.
bool is_intra_queue(const PlanFacts& facts, QueueId victim);

}  // namespace cede
