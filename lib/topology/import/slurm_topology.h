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
  std::uint32_t line = 0;  // 0: the whole text
  std::string text;
  bool is_limit = false;

  // `topology.conf line 12: node 'n7' is already on leaf 's1' (line 3)`
  std::string message() const;
};

// Reads Slurm's topology.conf. On false `fault` describes the first mistake and `out` is untouched.
//
// * Tree (`SwitchName=s0 Nodes=n[1-4]`, `SwitchName=s1 Switches=s[0-3]`): a switch is a domain. Its level is
//   its height above the leaves: `leaf`, `spine`, `core`, then `level3`, `level4` and so on. Trees of
//   different heights and several roots are allowed, as in Slurm.
// * Block (`BlockName=b0 Nodes=n[1-18]`, `BlockSizes=18,36`): a block is a domain of level `block`. Each
//   further size is a level of its own (`block36`). Its domains are runs of as many blocks as make up that
//   size, named `b0..b1` after the first and the last. As in Slurm, the last domain of a level may have fewer
//   blocks; it is left out if it would be no larger than one of the level below; and there is no level above
//   the first that holds all blocks.
//
// `#` starts a comment, `\` at the end of a line continues it, and keys ignore case. LinkSpeed is ignored, as
// in Slurm. Unlike Slurm, the reader refuses a node on two leaves or in two blocks and a switch below two
// others, because a node is in one domain of each level; and Include, because the library reads no files.
bool read_slurm_topology(std::string_view text, const SlurmLimits& limits, NetworkDescription& out,
                         SlurmFault& fault);

// `BlockSizes=18,36` as written; empty: not given.
struct SlurmBlockSizes {
  std::string text;
  std::uint32_t line = 0;
};

// Adds the block levels to `network`, and the larger blocks that the sizes define. Returns false with
// `fault`.
bool add_block_levels(const SlurmBlockSizes& sizes, const SlurmLimits& limits, NetworkDescription& network,
                      SlurmFault& fault);

// One switch is the child of another.
struct SlurmChild {
  std::uint32_t domain = 0;
  std::string name;
  std::uint32_t line = 0;
};

// Sets the levels and parents of the switches of `network`. Returns false with `fault` if they do not form
// trees.
bool add_tree_levels(const std::vector<SlurmChild>& children, const SlurmLimits& limits,
                     NetworkDescription& network, SlurmFault& fault);

}  // namespace cede
