// SPDX-License-Identifier: MIT
#pragma once

#include "verify/plan_facts.h"

namespace cede {

// What the laws of profile `guarantee` say about queues. Usage is the usage before any victim leaves.

// Whether the request would bring the queue over its `max`.
bool would_exceed_max(const PlanFacts& facts, QueueId queue);

// Law 7: the first queue up from the request's queue that is fenced or that the request would bring over its
// `max`; else the root.
QueueId fence_above(const PlanFacts& facts);

// Law 4: the lowest queue of the path, inside the fence, that guarantees a requested resource and uses less
// of it than guaranteed. With `within_guarantee` the request must fit into the unused part. None: no queue
// justifies the request.
QueueId justifying_queue(const PlanFacts& facts);

// Laws 2 and 5: a queue that would hold less of a resource than its guarantee and less than it holds now,
// once `lost` is gone below each queue and the request is placed. None: every guarantee is kept.
// `exempt`: a queue that may shrink.
QueueId queue_below_guarantee(const PlanFacts& facts, const std::map<QueueId, PlanFacts::Amounts>& lost,
                              QueueId exempt);
// With `intra_queue` the request's own queue, if none of these units of its subtree is larger than the
// request in a resource that the queue guarantees; else none.
QueueId queue_that_may_shrink(const PlanFacts& facts, std::span<const VictimUnit> units);

// What one unit takes from its queue and the queues above.
std::map<QueueId, PlanFacts::Amounts> lost_by(const PlanFacts& facts, const VictimUnit& unit);

// Whether laws 4 and 5 are waived: `intra_queue` is set and the victim is in the requester's own leaf queue.
bool is_intra_queue(const PlanFacts& facts, QueueId victim);

}  // namespace cede
