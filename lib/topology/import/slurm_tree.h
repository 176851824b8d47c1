// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/network_description.h"
#include "topology/import/slurm_topology.h"

namespace cede {

// That a switch has another one below it.
struct SlurmChild {
  std::uint32_t domain = 0;
  std::string name;
  std::uint32_t line = 0;
};

// Gives the switches of `network` their levels and parents. False with `fault` where they are no tree.
bool add_tree_levels(const std::vector<SlurmChild>& children, const SlurmLimits& limits,
                     NetworkDescription& network, SlurmFault& fault);

}  // namespace cede
