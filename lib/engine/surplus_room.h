// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "engine/project_cluster.h"

namespace cede {

// The outlook in which the room that victims of some entries leave over is free: for a plan that comes after
// those entries. The one given where they leave nothing.
std::shared_ptr<const ProjectedCluster> with_surplus_room(
    const std::shared_ptr<const ProjectedCluster>& projection, const Sequence& sequence,
    std::span<const EntryId> lenders);

}  // namespace cede
