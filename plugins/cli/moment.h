// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cli {

// Times are milliseconds since 1970, durations milliseconds.

// A decimal number of seconds since 1970, or RFC 3339 text such as `2025-10-09T08:53:20Z`. What is finer than
// a millisecond is cut off, as in documents. Empty if it is neither.
std::optional<std::int64_t> parse_moment(std::string_view text);

// `90s`, `5m`, `1h30m`, `2d`, or a number of seconds. Empty if it is none.
std::optional<std::int64_t> parse_span(std::string_view text);

// Seconds as documents write them: `1760000000`, `330.5`. Empty if the text is no number.
std::optional<std::int64_t> parse_seconds(std::string_view text);

// `2025-10-09 08:53:20Z`; without seconds `2025-10-09 08:53Z`.
std::string moment_text(std::int64_t moment, bool with_seconds = true);

// The two largest units: `3d4h`, `2h46m`, `5m30s`, `12s`, `0s`.
std::string span_text(std::int64_t span);

}  // namespace cli
