// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// The text with control characters, line separators and the controls of bidirectional text shown as `\u202e`,
// bytes that are no UTF-8 as `\xff`: file names and documents are other people's, and what they hold must
// neither break a line, nor reach the terminal as an escape sequence, nor show it in another order.
std::string one_line(std::string_view text);

// The text on one line in single quotes, at most about 60 characters of it.
std::string quote(std::string_view text);

// How many characters a terminal shows for it, taking every code point as one.
std::size_t width(std::string_view text);

// Broken at spaces into lines of at most `columns` characters; a longer word stays whole. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

// `; did you mean 'x'?` for the nearest known word if one is near.
std::string did_you_mean(std::string_view text, std::span<const std::string_view> known);

// The same, else `; known are a, b and c`.
std::string did_you_mean_or_list(std::string_view text, std::span<const std::string_view> known);

// `1 warning`, `2 warnings`
std::string counted(std::size_t number, std::string_view noun);

}  // namespace cli
