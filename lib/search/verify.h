// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/plan.h"
#include "policy/policy.h"

namespace cede {

// Re-checks a plan on the model it was made on. Shares no code with the search: space, devices and limits are
// counted anew from the rows. Empty when everything holds; else the check that failed and what it found, for
// example `node-space: node 'n1' would hold 9 gpu of 8`.
std::string verify(const Plan& plan, const PolicySet& policies);

// The same without what depends on the moment it was made: whether its victims may still be taken, make room
// for the whole request where it says, and are all needed. Not whether they are the best, or what they cost.
std::string verify_soundness(const Plan& plan, const PolicySet& policies);

}  // namespace cede
