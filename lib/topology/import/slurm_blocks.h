// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "model/network_description.h"
#include "topology/import/slurm_topology.h"

namespace cede {

// `BlockSizes=18,36` as written; empty: not given.
struct SlurmBlockSizes {
  std::string text;
  std::uint32_t line = 0;
};

// Adds the levels of blocks to `network`, and the larger blocks that the sizes call for. False with `fault`.
bool add_block_levels(const SlurmBlockSizes& sizes, const SlurmLimits& limits, NetworkDescription& network,
                      SlurmFault& fault);

}  // namespace cede
