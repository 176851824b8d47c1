// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace manual {

// The rules at the top of a header, and its sections, as parts of a page: declarations as they are, comments
// as text.
std::string header_rules(const std::string& header);
std::string header_sections(const std::string& header);

}  // namespace manual
