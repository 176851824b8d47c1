// SPDX-License-Identifier: MIT
#pragma once

#include "model/plan.h"
#include "policy/settings/policy.h"
#include "sequence/order.h"

namespace cede {

// Writes a plan in the form that the sequence takes: everything by name, with the settings of the policy it
// was made under. `now` is the moment of the commit.
CommitOrder commit_order(const Plan& plan, const PolicySet& policies, Time now);

}  // namespace cede
