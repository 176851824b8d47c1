// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/project_cluster.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/settings/policy.h"
#include "sequence/sequence.h"

namespace cede {

// What storm limits and earlier attempts still allow a request of the group at that moment. `requester` is
// the name of a job, or empty.
Allowance allowance_at(Time now, const Model& model, const StormLimits& limits, const Sequence& sequence,
                       GroupId group, std::string_view requester);

// Since when something holds, by the name of a job or node.
using Clocks = std::map<std::string, Time>;

// Whether the profile of any group counts starvation.
bool keeps_clocks(const Model& model, const PolicySet& policies);
// Updates when each job was first found below its fair share, and writes these times into the projected
// cluster. `known` are the times so far; `now` is the latest time that the engine was told.
Clocks look_at_clocks(ProjectedCluster& projection, const PolicySet& policies, const Clocks& known, Time now);
// Only writes them.
void remember_clocks(const Model& model, InFlight& in_flight, const Clocks& known);
// Since when each node is over its capacity, as far as the engine was told. Empty if no policy asks.
Clocks look_at_overcommitted(const Model& model, const PolicySet& policies, const Clocks& known, Time now);
void remember_overcommitted(const Model& model, InFlight& in_flight, const Clocks& since);

}  // namespace cede
