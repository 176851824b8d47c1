// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "model/edit.h"

namespace cede {

// Reads a whole cluster, or changes to one, into the edit. Each problem gets its line and column. Returns
// false if there are problems. The caller finishes the edit.
bool read_cluster(std::string_view text, ModelEdit& edit);
bool read_changes(std::string_view text, ModelEdit& edit);

}  // namespace cede
