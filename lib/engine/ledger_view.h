// SPDX-License-Identifier: MIT
#pragma once

#include "model/ledger_view.h"
#include "sequence/sequence.h"

namespace cede {

LedgerView view_of(const Sequence& sequence);

// The view as a document of format cede-in-flight/1.
std::string ledger_document(const LedgerView& view);

// When a step is due if nothing happens before, at the latest moment known where it is due at once; kNoTime:
// never.
Time next_step(const Sequence& sequence);

}  // namespace cede
