// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/problem.h"
#include "model/limits.h"
#include "policy/settings/policy.h"

namespace cede {

// Reads a policy document and checks everything that does not depend on a cluster. Returns false if there are
// problems.
bool read_policy(std::string_view text, const Limits& limits, Problems& problems, PolicySet& out);

}  // namespace cede
