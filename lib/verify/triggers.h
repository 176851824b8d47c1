// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "verify/eligibility.h"

namespace cede {

// The first trigger that keeps the request from preempting at all, in the order of policies; nothing: it may.
// Those about space (`fits`, `impossible`, `nodes-unavailable`) are not here: a plan that is sound and
// minimal has passed them. `not-front` and `worth-waiting` say no only where that is certain.
std::optional<SparedBy> refused_by(const PlanFacts& facts);

}  // namespace cede
