// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/plan.h"
#include "policy/group_usage.h"
#include "policy/settings/policy.h"

namespace cede {

// Re-checks a plan on the model it was made on. Shares no code with the search: space, devices and limits are
// counted anew from the rows. Empty when everything holds; else the check that failed and what it found, for
// example `node-space: node 'n1' would hold 9 gpu of 8`.
std::string verify(const Plan& plan, const PolicySet& policies);

// What a commit asks: whether its victims may be taken and make room for the whole request where it says,
// with the terms of its question. Not whether all of them are needed, whether they are the best, or what they
// cost. `usage` is what the queues use in the plan's model; null: it is counted. With it, it costs what the
// plan touches.
std::string verify_soundness(const Plan& plan, const PolicySet& policies, const GroupUsage* usage = nullptr);

}  // namespace cede
