// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cede {

inline constexpr std::size_t kMaxNameBytes = 253;

// The text with invisible characters, and those that change how the text around them looks, written as
// escapes: control characters, line and paragraph separators and the controls of bidirectional text as
// `\u202e`, bytes that are not UTF-8 as `\xff`. For people only; documents hold the text unchanged.
std::string visible(std::string_view text);

// At most about 60 bytes of the text, cut at a character, with `…` for what is left out, made visible.
// Messages are built from hostile input and must stay one readable line.
std::string shorten(std::string_view text);

// The shortened text in single quotes, as messages show offending values.
std::string quote(std::string_view text);

// The candidate nearest to the text by edit distance; empty if none is near enough.
std::string_view nearest(std::string_view text, std::span<const std::string_view> candidates);

// `; did you mean 'x'?`, or nothing.
std::string did_you_mean(std::string_view text, std::span<const std::string_view> candidates);

// `a, b or c`
std::string one_of(std::span<const std::string_view> words);

// Why the text is not a name; empty if it is one. A name is 1..253 bytes of UTF-8 without control characters.
// The text must be valid UTF-8.
std::string name_fault(std::string_view text);

// Whether the text is a name of printable ASCII only, as most are: a quick test before name_fault().
bool is_plain_name(std::string_view text);
// Whether arbitrary bytes are a name, and why they are not.
bool is_name(std::string_view bytes);
std::string text_fault(std::string_view bytes);

bool is_utf8(std::string_view text);

// ASCII only, in every locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace cede
