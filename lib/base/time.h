// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace cede {

// Milliseconds since the epoch, and a number of milliseconds. The library has no clock: every `now` is an
// argument.
using Time = std::int64_t;
using Duration = std::int64_t;

inline constexpr Time kNoTime = std::numeric_limits<Time>::min();
inline constexpr Duration kNoDuration = std::numeric_limits<Duration>::min();
inline constexpr Time kMaxTime = 253'402'300'799'999;               // the end of year 9999
inline constexpr Duration kMaxDuration = 100LL * 366 * 86'400'000;  // a hundred years
inline constexpr Duration kSecond = 1000;
inline constexpr Duration kMinute = 60 * kSecond;
inline constexpr Duration kHour = 60 * kMinute;

// Read the digits of a JSON number (seconds since the epoch) or RFC 3339 text. Anything finer than a
// millisecond is cut off, because clocks report microseconds and no decision depends on them.
bool parse_time_number(std::string_view digits, Time& out, std::string& why);
bool parse_time_text(std::string_view text, Time& out, std::string& why);

// Read the digits of a JSON number (seconds, cut to the millisecond like times) or text such as `90s`,
// `1h30m`, `1.5h`, `300ms`, `2d`. People write the text, so it must be exact.
bool parse_duration_number(std::string_view digits, Duration& out, std::string& why);
bool parse_duration_text(std::string_view text, Duration& out, std::string& why);

// Seconds with as few decimals as are exact, as documents write them.
std::string format_seconds(std::int64_t milliseconds);
// For people: `1h30m`, `45s`, `300ms`.
std::string format_duration(Duration duration);
// For people: `2025-10-09T08:53:20Z`.
std::string format_time(Time time);

}  // namespace cede
