// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cli {

// Makes the file hold exactly this text. Whoever opens it sees the old content or the new, never a part. What
// is not a regular file (a device, a pipe) is written as it is. Empty, or why not.
std::string write_file(const std::string& name, std::string_view text);

}  // namespace cli
