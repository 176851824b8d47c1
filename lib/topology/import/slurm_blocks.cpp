// SPDX-License-Identifier: MIT
#include "topology/import/slurm_blocks.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <vector>

#include "base/text.h"

namespace cede {
namespace {

constexpr std::uint32_t kMostBlocks = 1u << 15;  // in one larger block; Slurm's own limit

// How many blocks make one of each level, ascending, 1 first; and what the smallest must hold.
struct Factors {
  std::vector<std::uint32_t> blocks{1};
  std::uint32_t base = 0;
};

bool parse_sizes(const SlurmBlockSizes& sizes, Factors& out, SlurmFault& fault) {
  const auto refuse = [&](std::string_view size, const std::string& why) {
    fault = {sizes.line, "BlockSizes has " + quote(size) + why, false};
    return false;
  };
  for (std::string_view rest = sizes.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::uint32_t size = 0;
    const auto [at, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    if (error != std::errc{} || at != word.data() + word.size() || size == 0)
      return refuse(word, ", which is not a number of nodes");
    if (out.base == 0) out.base = size;
    const std::uint32_t factor = size / out.base;
    if (size % out.base != 0 || !std::has_single_bit(factor) || factor > kMostBlocks) {
      return refuse(word, "; each size is the first, '" + std::to_string(out.base) +
                              "', times a power of two up to " + std::to_string(kMostBlocks));
    }
    out.blocks.push_back(factor);
  }
  std::sort(out.blocks.begin(), out.blocks.end());
  out.blocks.erase(std::unique(out.blocks.begin(), out.blocks.end()), out.blocks.end());
  return true;
}

class Blocks {
 public:
  Blocks(const SlurmBlockSizes& sizes, const SlurmLimits& limits, NetworkDescription& network,
         SlurmFault& fault)
      : sizes_(sizes), limits_(limits), network_(network), blocks_(network.domains.size()), fault_(fault) {}

  bool add_levels() {
    if (!parse_sizes(sizes_, factors_, fault_) || !check_base()) return false;
    // The first that holds all blocks is the last that says anything.
    const auto whole = std::lower_bound(factors_.blocks.begin(), factors_.blocks.end(), blocks_);
    if (whole != factors_.blocks.end()) factors_.blocks.erase(whole + 1, factors_.blocks.end());
    if (factors_.blocks.size() > limits_.levels) {
      return fail(sizes_.line, "BlockSizes has more than " + std::to_string(limits_.levels) + " levels",
                  true);
    }
    network_.levels.emplace_back("block");
    largest_.resize(blocks_);
    std::iota(largest_.begin(), largest_.end(), 0);
    for (std::size_t level = 1; level < factors_.blocks.size(); ++level) {
      if (!add_level(level)) return false;
    }
    return check_names();
  }

 private:
  bool fail(std::uint32_t line, std::string text, bool is_limit = false) {
    fault_ = {line, std::move(text), is_limit};
    return false;
  }

  bool check_base() {
    std::vector<std::uint32_t> nodes(blocks_);
    for (const NetworkDescription::Node& node : network_.nodes) ++nodes[node.domain];
    const auto small =
        std::find_if(nodes.begin(), nodes.end(), [&](std::uint32_t count) { return count < factors_.base; });
    if (small == nodes.end()) return true;
    const auto& block = network_.domains[static_cast<std::size_t>(small - nodes.begin())];
    return fail(block.line, "block " + quote(block.name) + " has " + std::to_string(*small) +
                                (*small == 1 ? " node" : " nodes") + ", fewer than the " +
                                std::to_string(factors_.base) + " of BlockSizes (line " +
                                std::to_string(sizes_.line) + ')');
  }

  bool add_level(std::size_t level) {
    const std::size_t size = factors_.blocks[level];
    network_.levels.push_back("block" + std::to_string(factors_.blocks[level] * factors_.base));
    for (std::size_t first = 0; first < blocks_; first += size) {
      const std::size_t count = std::min(size, blocks_ - first);
      if (count <= factors_.blocks[level - 1]) continue;  // it is one of the level below
      if (network_.domains.size() >= limits_.domains) {
        return fail(sizes_.line, "more than " + std::to_string(limits_.domains) + " blocks of all sizes",
                    true);
      }
      std::string name = network_.domains[first].name + ".." + network_.domains[first + count - 1].name;
      if (std::string why = name_fault(name); !why.empty()) return fail(sizes_.line, std::move(why));
      const auto made = static_cast<std::int32_t>(network_.domains.size());
      network_.domains.push_back({std::move(name), static_cast<std::uint32_t>(level), -1, sizes_.line});
      for (std::size_t i = first; i < first + count; ++i) {
        network_.domains[static_cast<std::size_t>(largest_[i])].parent = made;
        largest_[i] = made;
      }
    }
    return true;
  }

  bool check_names() {
    std::vector<std::string_view> names;
    for (const NetworkDescription::Domain& domain : network_.domains) names.push_back(domain.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    return twice == names.end() || fail(sizes_.line, "two blocks would be named " + quote(*twice) +
                                                         ", the larger ones after their parts");
  }

  const SlurmBlockSizes& sizes_;
  const SlurmLimits& limits_;
  NetworkDescription& network_;
  const std::size_t blocks_;
  SlurmFault& fault_;
  Factors factors_;
  std::vector<std::int32_t> largest_;  // of each block, the largest domain it is in so far
};

}  // namespace

bool add_block_levels(const SlurmBlockSizes& sizes, const SlurmLimits& limits, NetworkDescription& network,
                      SlurmFault& fault) {
  return Blocks(sizes, limits, network, fault).add_levels();
}

}  // namespace cede
