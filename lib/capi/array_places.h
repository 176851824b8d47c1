// SPDX-License-Identifier: MIT
#pragma once

#include "base/problem.h"

namespace cede::capi {

// Changes the places of problems from the members of documents to the fields of the structs that arrays
// have: `jobs[3].id` to `jobs[3].name`, `jobs[3].checkpoint.last` to `jobs[3].checkpoint_last`.
void use_field_names(Problems& problems);

}  // namespace cede::capi
