// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sequence/entry.h"
#include "sequence/storm_window.h"

namespace cede {

// A fault in a saved state with a valid checksum; empty if there is none. No saved state, whatever its
// origin, may lead the sequence out of its bounds.
std::string entries_fault(const std::vector<Entry>& entries, EntryId last_entry, ActionId last_action);
std::string named_times_fault(const std::vector<std::pair<std::string, Time>>& times);
std::string times_fault(Time now, Duration storm_length, const std::vector<StormWindow::Row>& storm,
                        const std::vector<std::pair<std::string, std::int64_t>>& lost_work);

}  // namespace cede
