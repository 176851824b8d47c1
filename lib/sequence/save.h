// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "sequence/entry.h"
#include "sequence/sequence.h"
#include "sequence/storm_window.h"

namespace cede {

inline constexpr std::uint32_t kSavedVersion = 9;
// That of 0.2.0. What 0.1.0 saved is refused.
inline constexpr std::uint32_t kFirstSavedVersion = 9;

// The whole state of a sequence as bytes: a mark, the version, the length, the content, and a CRC-64 of all
// of these. Equal sequences give equal bytes.
std::string save(const Sequence& sequence);

// Restores a saved sequence. The next step lists every unanswered action again and restarts its timeout.
// Damaged bytes are refused as a whole, with Status::damaged and the fault; a newer version, or one of 0.1.0,
// with Status::version.
std::optional<Sequence> restore(std::string_view bytes, Problems& problems);

// A fault in a saved state with a valid checksum; empty if there is none. No saved state, whatever its
// origin, may lead the sequence out of its bounds.
std::string entries_fault(const std::vector<Entry>& entries, EntryId last_entry, ActionId last_action);
std::string named_times_fault(const std::vector<std::pair<std::string, Time>>& times);
std::string times_fault(Time now, Duration storm_length, const std::vector<StormWindow::Row>& storm,
                        const std::vector<std::pair<std::string, std::int64_t>>& lost_work);

}  // namespace cede
