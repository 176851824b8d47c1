// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "model/book.h"
#include "model/in_flight.h"
#include "sequence/order.h"
#include "sequence/sequence.h"

namespace cede {

// Makes the book: finds the entries of the ledger by name in the current cluster. This is the only place that
// decides whether a victim is still there and whether a hold still has its space.
Book write_book(const Model& model, const Ledger& ledger);
// The same for some of the entries.
Book write_book(const Model& model, const Ledger& ledger, std::span<const EntryId> entries);

// Whether the model still shows tasks of the entry's victims that were reported gone.
bool shows_gone_tasks(const Model& model, const Entry& entry);

// What a task holds where it runs.
Place held_by(const Model& model, TaskId task);

// When the task started, if that is known.
Time start_of(const Model& model, TaskId task);

// Protects devices that holds keep by name. If tasks on a node do not say which devices they hold, planning
// can only count the free devices there. A new task that is only counted could then get a device that a hold
// names. So the rest of such a node is blocked until the named devices are certain for every hold. `model`
// and `in_flight` are the projected cluster without the entry `own`; the blocked room is added to
// `in_flight`.
void keep_names(const Book& book, const Model& model, EntryId own, InFlight& in_flight);

}  // namespace cede
