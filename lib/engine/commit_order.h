// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/project_cluster.h"
#include "model/plan.h"
#include "policy/settings/policy.h"
#include "sequence/order.h"

namespace cede {

// Carries a plan over to another projected cluster by names. Returns nothing, with `why`, if an object that
// the plan names is gone.
std::optional<Plan> rebase(const Plan& plan, const std::shared_ptr<const ProjectedCluster>& projection,
                           std::string& why);

// Writes a plan in the form that the sequence takes: everything by name, with the settings of the policy it
// was made under. `now` is the moment of the commit. The rooms that it borrows are added afterwards (see
// borrowed_rooms_of()).
CommitOrder commit_order(const Plan& plan, const PolicySet& policies, Time now);

}  // namespace cede
