// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/metrics.h"

namespace cede {

// The metrics as OpenMetrics text, version 1.0.0, including `# EOF`. Equal metrics give equal bytes.
std::string metrics_text(const Metrics& metrics);

}  // namespace cede
