// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "verify/eligibility.h"

namespace cede {

// The first trigger that forbids the request to preempt, in the order of policies. nullopt: it may preempt.
// Triggers about space (`fits`, `impossible`, `nodes-unavailable`) are not here: a plan that is sound and
// minimal has passed them. `not-front` and `worth-waiting` refuse only if that is certain.
std::optional<SparedBy> refused_by(const PlanFacts& facts);

}  // namespace cede
