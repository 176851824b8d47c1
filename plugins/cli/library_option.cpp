// SPDX-License-Identifier: MIT
#include "library_option.h"

#include <cede/cede.h>

#include <charconv>

namespace cli {

std::size_t library_default(std::string_view option, std::size_t fallback) {
  for (std::size_t i = 0; i < cede_option_count(); ++i) {
    if (cede_option_name(i) != option) continue;
    const std::string_view text = cede_option_default(i);
    std::from_chars(text.data(), text.data() + text.size(), fallback);
  }
  return fallback;
}

}  // namespace cli
