// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cede {

// 128-bit integers, an extension of every supported compiler. Named once here so that -Wpedantic stays on.
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// A quantity of a resource in thousandths: exact, no floating point. Sums use Total, which cannot overflow
// for any number of amounts that fits into memory.
using Amount = std::int64_t;
using Total = Wide;

inline constexpr Amount kOne = 1000;
inline constexpr std::int64_t kMaxAmountUnits = 9'000'000'000'000'000;
inline constexpr Amount kMaxAmount = kMaxAmountUnits * kOne;
inline constexpr Amount kNoAmount = -1;

// Reads a decimal number `digits[.digits][e±digits]` times 10^places as an integer. If it is malformed,
// negative, finer than that or above `max`, sets `why` and returns false.
bool parse_scaled(std::string_view text, int places, std::int64_t max, std::int64_t& out, std::string& why);

// The number without the decimals finer than 10^-places, because a computed number (a third, a sixtieth) has
// more digits than are meaningful. Numbers with an exponent stay unchanged. Amounts are never cut.
std::string_view cut_fraction(std::string_view digits, int places);

// Reads an amount as documents write it: the digits of a JSON number, or text with a Kubernetes suffix
// (`500m`, `16Gi`, `1T`).
bool parse_amount(std::string_view text, Amount& out, std::string& why);

// The exact value with as few digits as possible: `4`, `0.5`.
std::string format_amount(Amount amount);
std::string format_total(Total total);
// An integer in 10^-places as a decimal: (2500, 3) is `2.5`.
std::string format_scaled(std::int64_t value, int places);

}  // namespace cede
