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

// Everything a sequence knows, as bytes: a mark, the version, the length, the content, a CRC-64 of all that.
// Equal sequences give equal bytes.
std::string save(const Sequence& sequence);

// The sequence that was saved, ready to go on: every action not answered yet is listed again by the next
// step, with its clock beginning anew then. Damage of any kind is refused whole, with Status::damaged and
// what was found; a newer version with Status::version.
std::optional<Sequence> restore(std::string_view bytes, Problems& problems);

}  // namespace cede
