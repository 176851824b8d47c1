// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace cede
