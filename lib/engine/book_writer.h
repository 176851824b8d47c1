// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "model/book.h"
#include "sequence/sequence.h"

namespace cede {

// The book of who has what: the entries of the ledger, found again by name in the cluster as it is. This is
// the only place that decides whether a victim is still there and whether a hold still has its space.
Book write_book(const Model& model, const Ledger& ledger);
// With some of the entries only.
Book write_book(const Model& model, const Ledger& ledger, std::span<const EntryId> entries);

// Whether the cluster still shows tasks of the entry's victims of which it was said that they are gone.
bool shows_gone_tasks(const Model& model, const Entry& entry);

// What a task holds where it runs.
Place held_by(const Model& model, TaskId task);

// When the task started, as far as anybody said.
Time start_of(const Model& model, TaskId task);

}  // namespace cede
