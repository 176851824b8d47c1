// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "policy/rule_context.h"

namespace cede {

// What the laws of profile `guarantee` ask about queues.

// Whether the request is for a task that can run on one named node only.
bool for_required_node(const RuleContext& rule_context);

// Whether a victim of this queue would be taken inside the requester's own leaf, where laws 4 and 5 are
// waived.
bool within_leaf(const RuleContext& rule_context, QueueId victim);

// The highest queue below which victims may be: the first fenced one up the path, or the first that the
// request would bring over its `max`, for only victims below it can help; else the root.
QueueId fence_of(const RuleContext& rule_context);

// The lowest queue of the path, inside the fence, that guarantees a requested resource and uses less of it
// than guaranteed; with `within_guarantee` the request must fit into what is missing. None: nothing justifies
// the request.
QueueId lowest_justifying_queue(const RuleContext& rule_context);

// Whether, with the victims gone and the request placed, some queue would hold less than its guarantee and
// less than it holds now.
bool loses_guarantee(const RuleContext& rule_context, std::span<const Unit* const> victims, std::string* why);

// The same for one unit as the only victim, for whoever asks about very many.
bool alone_loses_guarantee(const RuleContext& rule_context, const Unit& unit);

// The most that these candidates can free of a resource without any queue losing its guarantee: of a queue's
// subtree the smaller of what it may lose and what its units and the queues below it can free.
Total freed_within_guarantees(const RuleContext& rule_context, std::span<const Unit* const> candidates,
                              std::uint32_t resource);

}  // namespace cede
