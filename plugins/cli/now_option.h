// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "arguments.h"
#include "console.h"

namespace cli {

// The value of `--now` in milliseconds since 1970, CEDE_NOW_OF_CLUSTER if it is not given; empty if it is not
// a time, and an error has been printed.
std::optional<std::int64_t> now_of(const Arguments& arguments, Console& console);

}  // namespace cli
