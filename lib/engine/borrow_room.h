// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/project_cluster.h"
#include "model/plan.h"
#include "sequence/ledger.h"

namespace cede {

// The outlook in which the room that victims of some entries leave over is free: for a plan that comes after
// those entries. The one given where they leave nothing.
std::shared_ptr<const ProjectedCluster> with_surplus_room(
    const std::shared_ptr<const ProjectedCluster>& projection, const Sequence& sequence,
    std::span<const EntryId> lenders);

// What a plan uses of the spare room it was made with (see InFlight::Spare), lender by lender. Idle space
// counts first, then the lenders in their order, except that devices are used where they are.
std::vector<BorrowedRoom> borrowed_rooms_of(const Plan& plan, const Ledger& ledger);

}  // namespace cede
