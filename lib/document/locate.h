// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/problem.h"

namespace cede {

struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // in bytes, from 1
};

// Line and column of an offset.
Position position_of(std::string_view text, std::size_t offset);

// Gives each problem that has a path but no place the place of that path. The readers keep no positions, so
// that a good document pays nothing for them; only a refused one is walked a second time.
void place_problems(std::string_view text, Problems& problems);

}  // namespace cede
