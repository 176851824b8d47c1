// SPDX-License-Identifier: MIT
#pragma once

#include "model/book.h"
#include "model/in_flight.h"
#include "sequence/order.h"

namespace cede {

// Devices that are kept by name must not go to somebody who does not say which ones it gets. Where a node has
// devices in use of which nobody knows which they are, a newcomer could be told no more than how many are
// free, and might come to hold those. What is left there is closed until the names are certain for everyone.
// `model` and `in_flight` are what planning sees, without `own`; what is closed is added to them.
void keep_names(const Book& book, const Model& model, EntryId own, InFlight& in_flight);

}  // namespace cede
