// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/project_cluster.h"
#include "model/plan.h"
#include "sequence/ledger.h"
#include "sequence/sequence.h"

namespace cede {

// The projected cluster with the surplus room of some entries free, for a plan that comes after those
// entries. Returns the given one if the entries leave nothing. Room in queues matters only to a plan whose
// queue is limited.
std::shared_ptr<const ProjectedCluster> with_surplus_room(
    const std::shared_ptr<const ProjectedCluster>& projection, std::span<const EntryId> lenders,
    bool queue_is_limited = true);

// What a plan uses of the surplus room it was made with (see InFlight::lending), per lender. Idle space
// is used first, then the lenders in their order. Devices are the exception: they are borrowed where the plan
// uses them.
std::vector<BorrowedRoom> borrowed_rooms_of(const Plan& plan, const Ledger& ledger);

}  // namespace cede
