// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cli {

// The value of a JSON text with its quotes; empty if an escape is wrong.
std::optional<std::string> json_decoded(std::string_view token);

// The text as JSON, with quotes. Control characters are escaped, so it has no line break.
std::string json_quoted(std::string_view text);

struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // in bytes; 0: not UTF-8
};

// The character at the start of a text.
Utf8Character first_character(std::string_view text);

// The text with every byte that is not UTF-8 replaced by U+FFFD: file names are bytes, JSON is not.
std::string as_utf8(std::string_view text);

}  // namespace cli
