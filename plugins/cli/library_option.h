// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace cli {

// The default of one of the library's options that is a whole number; the fallback if it has no such option.
std::size_t library_default(std::string_view option, std::size_t fallback);

}  // namespace cli
