// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cede {

// Where the source tree lies. Only this file's source knows it, so that every other test compiles alike
// wherever the tree is.
std::string source_folder();

}  // namespace cede
