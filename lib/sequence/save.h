// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "sequence/sequence.h"

namespace cede {

inline constexpr std::uint32_t kSavedVersion = 4;

// The whole state of a sequence as bytes: a mark, the version, the length, the content, and a CRC-64 of all
// of these. Equal sequences give equal bytes.
std::string save(const Sequence& sequence);

// Restores a saved sequence. The next step lists every unanswered action again and restarts its timeout.
// Damaged bytes are refused as a whole, with Status::damaged and the fault; a newer version with
// Status::version.
std::optional<Sequence> restore(std::string_view bytes, Problems& problems);

}  // namespace cede
