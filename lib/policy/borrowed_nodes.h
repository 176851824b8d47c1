// SPDX-License-Identifier: MIT
#pragma once

#include "policy/unit.h"

namespace cede {

// Whether a job of this queue borrows the node: the node has a home, and the queue is neither it nor below
// it.
bool borrows(const Model& model, QueueId queue, NodeId node);

// A gang is borrowed if any of its nodes is.
bool is_borrowed(const Model& model, const Unit& unit);

// Whether the rules of `class-cost` would spare the job wherever it ran: sensitive, opted out, or of a high
// class and unable to save its work.
bool never_preempted(const EffectiveSettings& effective, JobId job);

}  // namespace cede
