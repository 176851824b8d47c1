// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"

namespace cede {

struct SlurmLimits {
  std::size_t bytes = std::size_t{16} << 20;
  std::size_t nodes = 1'000'000;
  std::size_t domains = 262'144;
  std::size_t levels = 16;
};

struct SlurmFault {
  std::uint32_t line = 0;  // 0: the text as a whole
  std::string text;
  bool is_limit = false;

  // `topology.conf line 12: node 'n7' is already on leaf 's1' (line 3)`
  std::string message() const;
};

// Reads Slurm's topology.conf. On false `fault` tells the first mistake and `out` is untouched.
//
// * Tree (`SwitchName=s0 Nodes=n[1-4]`, `SwitchName=s1 Switches=s[0-3]`): a switch is a domain, its level the
//   height above the leaves: `leaf`, `spine`, `core`, then `level3`, `level4` and so on. Trees that reach
//   different heights and several roots are fine, as they are for Slurm.
// * Block (`BlockName=b0 Nodes=n[1-18]`, `BlockSizes=18,36`): a block is a domain of level `block`; each
//   further size is a level of its own (`block36`) whose domains are as many blocks in a row as make up that
//   size, named `b0..b1` after the first and the last. As with Slurm the last of a level may have fewer, is
//   left out where it would be no larger than one of the level below, and there is no level above the first
//   that holds all blocks.
//
// `#` starts a comment, `\` at the end of a line continues it, keys are the same in capitals. LinkSpeed is
// ignored as Slurm does. Refused, unlike there: a node on two leaves or in two blocks and a switch below two
// others, because a node is in one domain of each level; Include, because the library reads no files.
bool read_slurm_topology(std::string_view text, const SlurmLimits& limits, NetworkDescription& out,
                         SlurmFault& fault);

// `BlockSizes=18,36` as written; empty: not given.
struct SlurmBlockSizes {
  std::string text;
  std::uint32_t line = 0;
};

// Adds the levels of blocks to `network`, and the larger blocks that the sizes call for. False with `fault`.
bool add_block_levels(const SlurmBlockSizes& sizes, const SlurmLimits& limits, NetworkDescription& network,
                      SlurmFault& fault);

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
