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

}  // namespace cede
