// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "policy/rule_context.h"

namespace cede {

// What the laws of profile `guarantee` need to know about queues.

// Whether the request is for a task that can run on one named node only.
bool for_required_node(const RuleContext& rule_context);

// Whether a victim of this queue is in the requester's own leaf queue. Laws 4 and 5 do not apply there.
bool within_leaf(const RuleContext& rule_context, QueueId victim);

// Victims must be in the subtree of this queue. It is the first queue up the path that is fenced or that the
// request would bring over its `max`; only victims below a full queue can help. Otherwise it is the root.
QueueId fence_of(const RuleContext& rule_context);

// The lowest queue of the path, inside the fence, that guarantees a requested resource and uses less of it
// than guaranteed. With `within_guarantee` the request must fit into the unused part. None: no queue
// justifies the request.
QueueId lowest_justifying_queue(const RuleContext& rule_context);

// Whether some queue would hold less than its guarantee, and less than it holds now, once the victims are
// gone and the request is placed.
bool loses_guarantee(const RuleContext& rule_context, std::span<const Unit* const> victims, std::string* why);

// The same for a single victim; fast enough for very many units.
bool alone_loses_guarantee(const RuleContext& rule_context, const Unit& unit);

// The most of a resource that these candidates can free without any queue losing its guarantee. A subtree
// frees at most what its queue may lose, and at most what its own units and the queues below can free.
Total freed_within_guarantees(const RuleContext& rule_context, std::span<const Unit* const> candidates,
                              std::uint32_t resource);

}  // namespace cede
