// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "sequence/ledger.h"

namespace cede {

// What a plan uses of the spare room it was made with (see InFlight::Spare), lender by lender. Idle space
// counts first, then the lenders in their order, except that devices are used where they are.
std::vector<BorrowedRoom> borrowed_rooms_of(const Plan& plan, const Ledger& ledger);

}  // namespace cede
