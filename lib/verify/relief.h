// SPDX-License-Identifier: MIT
#pragma once

#include "verify/plan_facts.h"

namespace cede {

// Of the node, queue or job to be relieved: whether a task is part of it; what it holds with the victims
// gone, as far as limits ask for it; and by how much such an amount is over its limit, only resources of
// which it is.
bool is_of_target(const PlanFacts& facts, TaskId task);
PlanFacts::Amounts held_by_target(const PlanFacts& facts);
PlanFacts::Amounts over_limit(const PlanFacts& facts, const PlanFacts::Amounts& held);

}  // namespace cede
