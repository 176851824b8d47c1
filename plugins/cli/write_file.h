// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cli {

// Replaces the content of a file atomically: a reader sees the old content or the new, never a part. A device
// or pipe is written in place. Empty, or why that failed.
std::string write_file(const std::string& name, std::string_view text);

}  // namespace cli
