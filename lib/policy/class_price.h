// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan.h"
#include "policy/rule_context.h"
#include "policy/unit.h"

namespace cede {

// Whether a job of this queue borrows the node: the node has a home queue, and the job's queue is neither
// that queue nor below it.
bool borrows(const Model& model, QueueId queue, NodeId node);

// A gang borrows if it borrows any of its nodes.
bool is_borrowed(const Model& model, const Unit& unit);

// Whether the rules of `class-cost` spare the job on every node: it is sensitive, it opted out, or its class
// is high and it cannot save its work.
bool never_preempted(const EffectiveSettings& effective, JobId job);

// The price of profile `class-cost`: checkpoint, recompute, walltime and overhead, in this order, each in
// thousandths of a minute and rounded half up for the unit. If the job's queue sets `borrowed_discount`, what
// it takes off follows as a part of its own; it is 0 for a unit that borrows nothing.
std::vector<CostPart> class_price(const RuleContext& rule_context, const Unit& unit);
// The sum of all parts.
std::int64_t class_price_sum(const RuleContext& rule_context, const Unit& unit);
// Whether the price of every unit only rises with time. It can fall if `just_started_fraction` is so small
// that the walltime part drops when a job stops counting as just started.
bool class_price_never_falls(const RuleContext& rule_context);
// The checkpoint part alone.
std::int64_t checkpoint_price(const RuleContext& rule_context, const Unit& unit);

// What the request is worth, in thousandths of a minute: the job's own value, else GPUs × hours of walltime
// at `value_per_gpu_hour`. -1 if neither is given.
std::int64_t request_value(const RuleContext& rule_context);

}  // namespace cede
