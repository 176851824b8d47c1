// SPDX-License-Identifier: MIT
#pragma once

#include "verify/plan_facts.h"

namespace cede {

// For the target of relief, a node, queue or job: whether a task belongs to it; what it holds once the
// victims are gone, as far as limits need it; and by how much such an amount exceeds its limit, for exceeded
// resources only.
bool is_of_target(const PlanFacts& facts, TaskId task);
PlanFacts::Amounts held_by_target(const PlanFacts& facts);
PlanFacts::Amounts over_limit(const PlanFacts& facts, const PlanFacts::Amounts& held);

}  // namespace cede
