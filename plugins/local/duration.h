// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace local {

// Milliseconds of `90s`, `1h30m`, `1.5h`, `300ms`, or of a plain number of seconds; empty when it is neither
// or longer than a hundred years.
std::optional<std::int64_t> parse_duration(std::string_view text);

// `2h05m`, `3m20s`, `4.2s`
std::string shown_duration(std::int64_t milliseconds);

// Seconds with three decimals, as documents have them.
std::string seconds(std::int64_t milliseconds);

}  // namespace local
