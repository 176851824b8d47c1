// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "console.h"

namespace cli {

// The settings of one profile for people: a table as wide as the terminal, or a list where that is too
// narrow.
void print_settings(std::size_t profile, Console& console);

}  // namespace cli
