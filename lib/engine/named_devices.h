// SPDX-License-Identifier: MIT
#pragma once

#include "model/book.h"
#include "model/in_flight.h"
#include "sequence/order.h"

namespace cede {

// Protects devices that holds keep by name. If tasks on a node do not say which devices they hold, planning
// can only count the free devices there. A new task that is only counted could then get a device that a hold
// names. So the rest of such a node is blocked until the named devices are certain for every hold. `model`
// and `in_flight` are the projected cluster without the entry `own`; the blocked room is added to
// `in_flight`.
void keep_names(const Book& book, const Model& model, EntryId own, InFlight& in_flight);

}  // namespace cede
