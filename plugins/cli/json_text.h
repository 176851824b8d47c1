// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cli {

// What a JSON text with its quotes stands for; empty when an escape in it is wrong.
std::optional<std::string> json_decoded(std::string_view token);

// The text as JSON writes it, with quotes. Control characters are escaped, so it has no line break.
std::string json_quoted(std::string_view text);

// The text with every byte that is not UTF-8 replaced by U+FFFD: file names are bytes, JSON is not.
std::string as_utf8(std::string_view text);

}  // namespace cli
