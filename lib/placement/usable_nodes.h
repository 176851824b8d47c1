// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "placement/space.h"
#include "policy/rule_context.h"

namespace cede {

// Which nodes a request may use at all. `ever` asks only what never changes for the request (hosts it names
// or rules out, labels); `now` also whether the node is up, unreserved for it, not to be avoided and not kept
// from it by the profile.
enum class Usable : std::uint8_t { ever, now };
void mark_usable(Space& space, const RuleContext& rule_context, const NodeTerms& avoid, Usable when);

}  // namespace cede
