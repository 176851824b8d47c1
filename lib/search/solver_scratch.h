// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "search/capacity_model.h"

namespace cede {

// The reusable buffers of a search; one per thread.
struct SolverScratch {
  SolverScratch(const CapacityModel& capacity_model, const Fixings& start, std::uint64_t node_share_)
      : trial(capacity_model, work),
        fixings(start),
        shares(capacity_model.scores().size(), 0),
        node_share(node_share_) {}
  SolverScratch(const SolverScratch&) = delete;
  SolverScratch& operator=(const SolverScratch&) = delete;
  Work work;  // budget of the current piece of work
  NodeTrial trial;
  Fixings fixings;                    // restored after use
  std::vector<std::uint32_t> shares;  // all zero after use
  const std::uint64_t node_share;     // work for finding the cheapest units of one node
};

}  // namespace cede
