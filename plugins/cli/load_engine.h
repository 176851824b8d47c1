// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "console.h"
#include "handles.h"

namespace cli {

// An engine with this cluster loaded, and with the policy if one is named. Empty after an error, which has
// been printed.
Engine load_engine(const std::optional<std::string>& policy_name, const std::string& cluster_name,
                   Console& console);

}  // namespace cli
