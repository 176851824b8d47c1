// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decide/cluster.h"

namespace bench {

// What a strategy answers: jobs to take (their places in the description) and a node for each task asked for.
struct Choice {
  bool found = false;
  std::vector<std::size_t> victims;
  std::vector<std::uint32_t> places;
};

// What users have today, each in the simplest form its published description allows, on one resource and
// without any index that the original does not have. Jobs of several tasks go as a whole.
struct Strategy {
  const char* name;
  const char* after;  // what it follows
  Choice (*choose)(const Description& description, const Description::Job& asked);
};

const std::vector<Strategy>& strategies();

}  // namespace bench
