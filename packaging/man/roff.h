// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace manual {

// Text as roff shows it: backslashes are kept; `words` in backticks become bold.
std::string roff(std::string_view text);
// The same for a name: its hyphens are those of a program.
std::string literal(std::string_view text);

// Breaks the text into lines that mandoc likes: at most 79 bytes, none starts with a control character, and
// each sentence starts a new one.
std::string filled(std::string_view text);

// `its queue's` as `Its queue's.`
std::string sentence(std::string_view text);

}  // namespace manual
