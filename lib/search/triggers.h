// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "search/decision_context.h"
#include "search/needs.h"

namespace cede {

// Why the profile does not let the request preempt at all; nullopt if it does.
std::optional<Verdict> refused_by_profile(DecisionContext& context);
// Why the storm limits allow no victim; nullopt if they allow some.
std::optional<Verdict> refused_by_budget(DecisionContext& context);
// `worth-waiting` if walltimes alone make room for the job within the horizon; nullopt otherwise.
std::optional<Verdict> worth_waiting(DecisionContext& context, const Needs& needs);

}  // namespace cede
