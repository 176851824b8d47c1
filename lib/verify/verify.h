// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/plan.h"
#include "policy/settings/policy.h"
#include "verify/queue_usage.h"

namespace cede {

// Checks a plan against the model it was made on. It shares no rule with the search: every condition is
// stated again. Returns an empty text if everything holds; else the check that failed and what it found, for
// example `node-space: node 'n1' would hold 9 gpu of 8`.
std::string verify(const Plan& plan, const PolicySet& policies);

// The checks of a commit: whether the victims may be taken and make room for the whole request at its
// placement, with the terms of its query. Not checked: whether all victims are needed, whether they are the
// best, what they cost, or whether the request may preempt at all. `usage` is what the queues use in the
// plan's model; with it the cost depends only on what the plan touches.
std::string verify_soundness(const Plan& plan, const PolicySet& policies, const QueueUsage& usage);

}  // namespace cede
