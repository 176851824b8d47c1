// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "model/allowance.h"
#include "model/model.h"
#include "policy/settings/policy.h"
#include "sequence/sequence.h"

namespace cede {

// What storm limits and earlier attempts still allow a request of the group at that moment. `requester` is
// the name of a job, or empty.
Allowance allowance_at(Time now, const Model& model, const StormLimits& limits, const Sequence& sequence,
                       GroupId group, std::string_view requester);

}  // namespace cede
