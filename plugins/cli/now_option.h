// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "arguments.h"
#include "console.h"

namespace cli {

// What `--now` says in milliseconds since 1970, CEDE_NOW_OF_CLUSTER where it is not given; empty when it is
// no time, which has been told.
std::optional<std::int64_t> now_of(const Arguments& arguments, Console& console);

}  // namespace cli
