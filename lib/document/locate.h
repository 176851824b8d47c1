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

// Adds line and column to each problem that has a path but no position. The readers keep no positions, so a
// valid document costs nothing extra; only a refused one is walked a second time.
void place_problems(std::string_view text, Problems& problems);

}  // namespace cede
