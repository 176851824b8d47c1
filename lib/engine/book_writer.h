// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <optional>
#include <span>

#include "model/book.h"
#include "sequence/order.h"
#include "sequence/sequence.h"

namespace cede {

// Makes the book: finds the entries of the ledger by name in the current cluster. This is the only place that
// decides whether a victim is still there and whether a hold still has its space.
Book write_book(const Model& model, const Ledger& ledger);
// The same for some of the entries.
Book write_book(const Model& model, const Ledger& ledger, std::span<const EntryId> entries);
// What the book is made of: all entries, or one, as the book shows them before it decides
// which places are kept.
std::deque<BookEntry> write_book_entries(const Model& model, const Ledger& ledger);
BookEntry write_book_entry(const Model& model, const Ledger& ledger, EntryId entry);

// Whether the model still shows tasks of the entry's victims that were reported gone.
bool shows_gone_tasks(const Model& model, const Entry& entry);
// Whether the model shows a later run of a task that this victim was to stop.
bool runs_again(const Model& model, const Entry& entry, const Victim& victim);

// What a task holds where it runs.
Place held_by(const Model& model, TaskId task);

// When the task started, if that is known.
Time start_of(const Model& model, TaskId task);

// A checksum of what the job requires of its place, and the number of its tasks that wait.
std::uint64_t requirement_checksum(const Model& model, JobId job);
std::uint32_t waiting_tasks(const Model& model, JobId job);

// The run of a placed task that holds devices and does not say which; nothing if it does.
std::optional<UnnamedRun> unnamed_run(const Model& model, TaskId task);
// The row of that run; none if it is not there any more, or names its devices now.
TaskId find_run(const Model& model, const UnnamedRun& run);

}  // namespace cede
