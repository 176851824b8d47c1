// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "search/decision_context.h"
#include "search/needs.h"

namespace cede {

// Why the profile does not let the request preempt at all; nothing where it may.
std::optional<Verdict> refused_by_profile(DecisionContext& context);
// Why the storm limits leave nothing to take; nothing where they do.
std::optional<Verdict> refused_by_budget(DecisionContext& context);
// `worth-waiting` where walltimes alone make room for the job within the horizon; nothing where they do not.
std::optional<Verdict> worth_waiting(DecisionContext& context, const Needs& needs);

}  // namespace cede
