// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/project_cluster.h"
#include "model/plan.h"

namespace cede {

// The same plan on another outlook, found again by names; nothing, and why, where something it names is gone.
std::optional<Plan> transfer(const Plan& plan, const std::shared_ptr<const ProjectedCluster>& projection,
                             std::string& why);

}  // namespace cede
