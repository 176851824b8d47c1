// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "verify/eligibility.h"
#include "verify/plan_facts.h"

namespace cede {

// For the target of relief, a node, queue or job: whether a task belongs to it; what it holds once the
// victims are gone, as far as limits need it; and by how much such an amount exceeds its limit, for exceeded
// resources only.
bool is_of_target(const PlanFacts& facts, TaskId task);
PlanFacts::Amounts held_by_target(const PlanFacts& facts);
PlanFacts::Amounts over_limit(const PlanFacts& facts, const PlanFacts::Amounts& held);

// Why the quotas of profile `quota` do not admit the request; empty: they do, or the profile is another.
std::string outside_quota(const PlanFacts& facts);

// The first trigger that forbids the request to preempt, in the order of decide_job() in search/decide.cpp
// and decide_relief() in search/relief.cpp; the profile's own, in that of its add_triggers(). nullopt: it may
// preempt. Triggers about space (`fits`, `impossible`, `nodes-unavailable`) are not here: a plan that is
// sound and minimal has passed them. `not-front` and `worth-waiting` refuse only if that is certain.
std::optional<RuleReason> refused_by(const PlanFacts& facts);

}  // namespace cede
