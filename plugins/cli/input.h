// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "console.h"

namespace cli {

// Why an input could not be read: a system error, or content that cannot be a document.
struct ReadFault {
  bool by_system = false;
  std::string text;

  explicit operator bool() const { return !text.empty(); }
};

// What people call an input: `standard input` for `-`, else its name with nothing in it that could break a
// line.
std::string shown_name(const std::string& name);

// The default of one of the library's options that is a whole number; the fallback if it has no such option.
std::size_t library_default(std::string_view option, std::size_t fallback);

// The whole of a file or, for `-`, of standard input, up to the library's limit for a document. Input that
// cannot be a document is refused as soon as that is certain.
ReadFault read_document(const std::string& name, const Console& console, std::string& text);

// The whole of a file or, for `-`, of standard input, whatever it holds, up to the limit.
ReadFault read_text(const std::string& name, std::size_t limit, std::string& text);

// The whole of a small file. Empty, or what the system says; `too_large` when there is more than the limit.
std::string read_small_file(const std::string& name, std::size_t limit, std::string& text, bool& too_large);

}  // namespace cli
