// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "search/decision_context.h"

namespace cede {

// Where the refused request of this plan comes nearest to fitting, and the cheapest changes that would make
// it fit (an impossible one: that would make it possible). Every change was tried: with it, the request is
// placed, and some set of victims is allowed. nullopt for a yes, and where nothing can be said beyond the
// plan's reason.
std::optional<NearestMiss> find_nearest_miss(DecisionContext& context, const Plan& plan);

}  // namespace cede
