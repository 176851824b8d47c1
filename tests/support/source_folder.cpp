// SPDX-License-Identifier: MIT
#include "support/source_folder.h"

namespace cede {

std::string source_folder() { return CEDE_SOURCE_DIR; }

}  // namespace cede
