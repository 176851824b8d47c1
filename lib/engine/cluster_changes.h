// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/project_cluster.h"
#include "model/plan.h"

namespace cede {

// Carries a plan over to another projected cluster by names. Returns nothing, with `why`, if an object that
// the plan names is gone.
std::optional<Plan> transfer(const Plan& plan, const std::shared_ptr<const ProjectedCluster>& projection,
                             std::string& why);

}  // namespace cede
