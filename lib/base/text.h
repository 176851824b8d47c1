// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cede {

inline constexpr std::size_t kMaxNameBytes = 253;

// The text with whatever is not seen, or changes how the text around it is seen, written as an escape:
// control characters, line and paragraph separators and the controls of bidirectional text as `\u202e`, bytes
// that are no UTF-8 as `\xff`. For people only; documents hold the text as it is.
std::string visible(std::string_view text);

// At most about 60 bytes of the text, cut at a character, with `…` where something was left out, made
// visible. Messages are built from hostile input and must stay one readable line.
std::string shorten(std::string_view text);

// The shortened text in single quotes, as messages show offending values.
std::string quote(std::string_view text);

// The candidate nearest to the text by edit distance, empty when none is near enough to be meant.
std::string_view nearest(std::string_view text, std::span<const std::string_view> candidates);

// `; did you mean 'x'?`, or nothing.
std::string did_you_mean(std::string_view text, std::span<const std::string_view> candidates);

// `a, b or c`
std::string one_of(std::span<const std::string_view> words);

// Why this is not a name (names are 1..253 bytes of UTF-8 without control characters); empty when it is one.
// The text is known to be valid UTF-8.
std::string name_fault(std::string_view text);

// A name of printable ASCII alone, which most are: a quick yes before name_fault() has to look closer.
bool is_plain_name(std::string_view text);
// Whether these bytes, of which nothing is known, are a name; and why they are none.
bool is_name(std::string_view bytes);
std::string text_fault(std::string_view bytes);

bool is_utf8(std::string_view text);

// Of ASCII, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace cede
