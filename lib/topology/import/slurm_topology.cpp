// SPDX-License-Identifier: MIT
#include "topology/import/slurm_topology.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <numeric>
#include <vector>

#include "base/text.h"
#include "topology/import/slurm_lines.h"

namespace cede {

namespace {

constexpr std::array<std::string_view, 6> kKeys{"SwitchName", "Switches",  "Nodes",
                                                "LinkSpeed",  "BlockName", "BlockSizes"};
enum class Key : std::uint8_t { switch_name, switches, nodes, link_speed, block_name, block_sizes, unknown };

bool equal_words(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

Key key_of(std::string_view word) {
  const auto* const found =
      std::find_if(kKeys.begin(), kKeys.end(), [&](std::string_view key) { return equal_words(key, word); });
  return static_cast<Key>(found - kKeys.begin());
}

class SlurmReader {
 public:
  SlurmReader(std::string_view text, const SlurmLimits& limits, SlurmFault& fault)
      : lines_(text), limits_(limits), fault_(fault) {}

  bool read(NetworkDescription& out) {
    while (lines_.next()) {
      if (!read_entry()) return false;
    }
    if (!lines_.why().empty()) return fail(lines_.why_line(), lines_.why());
    if (network_.domains.empty()) return fail(0, "it names no switch and no block");
    if (!check_names() || !check_nodes()) return false;
    const bool good = is_block_ ? add_block_levels(sizes_, limits_, network_, fault_)
                                : add_tree_levels(children_, limits_, network_, fault_);
    if (good) out = std::move(network_);
    return good;
  }

 private:
  bool fail(std::uint32_t line, std::string text, bool is_limit = false) {
    fault_ = {line, std::move(text), is_limit};
    return false;
  }

  bool read_entry() {
    const std::span<const SlurmPair> pairs = lines_.pairs();
    const std::uint32_t line = lines_.line_of(pairs[0].key_at);
    std::array<const SlurmPair*, kKeys.size()> given{};
    for (const SlurmPair& pair : pairs) {
      const std::uint32_t at = lines_.line_of(pair.key_at);
      const Key key = key_of(pair.key);
      if (key == Key::unknown) return fail_key(pair.key, at);
      const SlurmPair*& slot = given[static_cast<std::size_t>(key)];
      if (slot) return fail(at, quote(pair.key) + " is given twice");
      slot = &pair;
    }
    const auto pair_of = [&](Key key) { return given[static_cast<std::size_t>(key)]; };
    if (const SlurmPair* const sizes = pair_of(Key::block_sizes)) return read_sizes(*sizes, pairs.size());

    const Key first = key_of(pairs[0].key);
    if (first != Key::switch_name && first != Key::block_name) {
      return fail(line,
                  quote(pairs[0].key) + " starts a line; 'SwitchName', 'BlockName' or 'BlockSizes' does");
    }
    const bool is_block = first == Key::block_name;
    if (!set_kind(is_block, line)) return false;
    const SlurmPair* const wrong = is_block ? (pair_of(Key::switches)     ? pair_of(Key::switches)
                                               : pair_of(Key::link_speed) ? pair_of(Key::link_speed)
                                                                          : pair_of(Key::switch_name))
                                            : pair_of(Key::block_name);
    if (wrong) {
      return fail(lines_.line_of(wrong->key_at),
                  quote(wrong->key) + (is_block ? " in the line of a block" : " in the line of a switch"));
    }
    return read_domain(*pair_of(first), pair_of(Key::nodes), pair_of(Key::switches));
  }

  bool fail_key(std::string_view key, std::uint32_t line) {
    if (equal_words(key, "RingName"))
      return fail(line, "'RingName' describes a ring; trees (SwitchName) and blocks (BlockName) are read");
    return fail(line, "unknown key " + quote(key) + did_you_mean(key, kKeys));
  }

  bool set_kind(bool is_block, std::uint32_t line) {
    if (kind_line_ == 0) {
      is_block_ = is_block;
      kind_line_ = line;
    }
    if (is_block_ == is_block) return true;
    return fail(line, "a file describes a tree or blocks, not both; the other kind starts in line " +
                          std::to_string(kind_line_));
  }

  bool read_domain(const SlurmPair& name, const SlurmPair* nodes, const SlurmPair* switches) {
    const std::uint32_t line = lines_.line_of(name.key_at);
    const std::string what = is_block_ ? "block " : "switch ";
    if (std::string why = name_fault(name.value); !why.empty()) return fail(line, std::move(why));
    if (nodes && switches)
      return fail(line, what + quote(name.value) + " has both nodes and switches below it");
    if (is_block_ && !nodes) return fail(line, what + quote(name.value) + " has no nodes");
    if (network_.domains.size() == limits_.domains) {
      return fail(line, "more than " + std::to_string(limits_.domains) + " switches or blocks", true);
    }
    const auto domain = static_cast<std::uint32_t>(network_.domains.size());
    network_.domains.push_back({std::string(name.value), 0, -1, line});
    std::vector<ListedName> names;
    if (nodes) {
      if (!expand(*nodes, limits_.nodes - network_.nodes.size(), names)) return false;
      for (ListedName& listed : names) {
        network_.nodes.push_back(
            {std::move(listed.name), domain, lines_.line_of(nodes->value_at + listed.at)});
      }
    } else if (switches) {
      if (!expand(*switches, limits_.domains - children_.size(), names)) return false;
      for (ListedName& listed : names) {
        children_.push_back({domain, std::move(listed.name), lines_.line_of(switches->value_at + listed.at)});
      }
    }
    return true;
  }

  bool expand(const SlurmPair& list, std::size_t most, std::vector<ListedName>& names) {
    HostlistFault why;
    if (expand_hostlist(list.value, most, names, why)) return true;
    if (why.is_limit) {
      const bool of_nodes = key_of(list.key) == Key::nodes;
      why.text += "; at most " + std::to_string(of_nodes ? limits_.nodes : limits_.domains) +
                  (of_nodes ? " nodes" : " switches") + " are allowed";
    }
    return fail(lines_.line_of(list.value_at + why.at), std::move(why.text), why.is_limit);
  }

  bool read_sizes(const SlurmPair& pair, std::size_t pairs) {
    const std::uint32_t line = lines_.line_of(pair.key_at);
    if (pairs > 1) return fail(line, "'BlockSizes' stands in a line of its own");
    if (!set_kind(true, line)) return false;
    if (!sizes_.text.empty())
      return fail(line, "'BlockSizes' is given twice, first in line " + std::to_string(sizes_.line));
    sizes_ = {std::string(pair.value), line};
    return true;
  }

  bool check_names() {
    std::vector<std::uint32_t> order(network_.domains.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto& domains = network_.domains;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return domains[a].name < domains[b].name; });
    const auto twice = std::adjacent_find(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return domains[a].name == domains[b].name;
    });
    if (twice == order.end()) return true;
    return fail(domains[twice[1]].line, (is_block_ ? "block " : "switch ") + quote(domains[*twice].name) +
                                            " is already defined (line " +
                                            std::to_string(domains[*twice].line) + ')');
  }

  // A node that one switch names twice counts once, as in Slurm. A node below two switches is an error.
  bool check_nodes() {
    std::vector<NetworkDescription::Node>& nodes = network_.nodes;
    std::vector<std::uint32_t> order(nodes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nodes[a].name < nodes[b].name; });
    std::vector<bool> repeated(nodes.size());
    std::size_t clash = nodes.size();  // the first node, in file order, that is already elsewhere
    std::uint32_t earlier = 0;
    for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
      if (nodes[order[i]].name != nodes[order[first]].name) {
        first = i;
        continue;
      }
      repeated[order[i]] = true;
      if (nodes[order[i]].domain == nodes[order[first]].domain || order[i] > clash) continue;
      clash = order[i];
      earlier = order[first];
    }
    if (clash < nodes.size()) {
      return fail(nodes[clash].line, "node " + quote(nodes[clash].name) + " is already " +
                                         (is_block_ ? "in block " : "on leaf ") +
                                         quote(network_.domains[nodes[earlier].domain].name) + " (line " +
                                         std::to_string(nodes[earlier].line) + ')');
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (repeated[i]) continue;
      if (kept != i) nodes[kept] = std::move(nodes[i]);
      ++kept;
    }
    nodes.resize(kept);
    return true;
  }

  SlurmLines lines_;
  const SlurmLimits& limits_;
  SlurmFault& fault_;
  NetworkDescription network_;
  std::vector<SlurmChild> children_;
  SlurmBlockSizes sizes_;
  bool is_block_ = false;
  std::uint32_t kind_line_ = 0;  // where the kind was decided
};

}  // namespace

std::string SlurmFault::message() const {
  return "topology.conf" + (line > 0 ? " line " + std::to_string(line) : std::string()) + ": " + text;
}

bool read_slurm_topology(std::string_view text, const SlurmLimits& limits, NetworkDescription& out,
                         SlurmFault& fault) {
  if (text.size() > limits.bytes) {
    fault = {0,
             "it has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(limits.bytes) +
                 " are read",
             true};
    return false;
  }
  if (!is_utf8(text)) {
    fault = {0, "it is not UTF-8", false};
    return false;
  }
  return SlurmReader(text, limits, fault).read(out);
}

namespace {

constexpr std::uint32_t kMostBlocks = 1u << 15;  // in one larger block; Slurm's own limit

// How many blocks form one block of each level, ascending, 1 first; and the minimum size of the smallest.
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
    // Levels above the first one that holds all blocks add nothing.
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
      if (count <= factors_.blocks[level - 1]) continue;  // no larger than a block of the level below
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
  std::vector<std::int32_t> largest_;  // for each block, the largest domain that contains it so far
};

}  // namespace

bool add_block_levels(const SlurmBlockSizes& sizes, const SlurmLimits& limits, NetworkDescription& network,
                      SlurmFault& fault) {
  return Blocks(sizes, limits, network, fault).add_levels();
}

namespace {

constexpr std::array<std::string_view, 3> kLevelNames{"leaf", "spine", "core"};

class Tree {
 public:
  Tree(const std::vector<SlurmChild>& children, const SlurmLimits& limits, NetworkDescription& network,
       SlurmFault& fault)
      : children_(children), limits_(limits), network_(network), domains_(network.domains), fault_(fault) {}

  bool add_levels() {
    if (!link()) return false;
    const std::uint32_t levels = climb();
    if (levels == 0) return fail_circle();
    if (levels > limits_.levels) {
      fault_ = {0,
                "switches stand " + std::to_string(levels) + " high; at most " +
                    std::to_string(limits_.levels) + " levels are allowed",
                true};
      return false;
    }
    for (std::uint32_t i = 0; i < levels; ++i) {
      network_.levels.push_back(i < kLevelNames.size() ? std::string(kLevelNames[i])
                                                       : "level" + std::to_string(i));
    }
    return true;
  }

 private:
  bool fail(std::uint32_t line, std::string text) {
    fault_ = {line, std::move(text), false};
    return false;
  }

  // Finds the switch that each child refers to, and records its parent.
  bool link() {
    std::vector<std::uint32_t> order(domains_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return domains_[a].name < domains_[b].name; });
    std::vector<std::uint32_t> lines(domains_.size());  // where each switch got its parent
    for (const SlurmChild& child : children_) {
      const auto found = std::lower_bound(
          order.begin(), order.end(), child.name,
          [&](std::uint32_t id, const std::string& name) { return domains_[id].name < name; });
      if (found == order.end() || domains_[*found].name != child.name) {
        return fail(child.line, quote(child.name) + " below switch " + quote(domains_[child.domain].name) +
                                    " is not a switch of this file");
      }
      const auto parent = static_cast<std::int32_t>(child.domain);
      NetworkDescription::Domain& domain = domains_[*found];
      if (*found == child.domain) return fail(child.line, "switch " + quote(child.name) + " is below itself");
      if (domain.parent >= 0 && domain.parent != parent) {
        return fail(child.line, "switch " + quote(child.name) + " is already below " +
                                    quote(domains_[static_cast<std::size_t>(domain.parent)].name) +
                                    " (line " + std::to_string(lines[*found]) + ')');
      }
      domain.parent = parent;
      lines[*found] = child.line;
    }
    return true;
  }

  // Heights, from the leaves up. Returns the number of levels, or 0 if some switch is never reached.
  std::uint32_t climb() {
    waiting_.assign(domains_.size(), 0);
    for (const NetworkDescription::Domain& domain : domains_) {
      if (domain.parent >= 0) ++waiting_[static_cast<std::size_t>(domain.parent)];
    }
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < domains_.size(); ++i) {
      if (waiting_[i] == 0) ready.push_back(i);
    }
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const NetworkDescription::Domain& below = domains_[ready[i]];
      highest = std::max(highest, below.level);
      if (below.parent < 0) continue;
      const auto parent = static_cast<std::uint32_t>(below.parent);
      domains_[parent].level = std::max(domains_[parent].level, below.level + 1);
      if (--waiting_[parent] == 0) ready.push_back(parent);
    }
    return ready.size() == domains_.size() ? highest + 1 : 0;
  }

  // The parents of an unreached switch are unreached too, so going up ends in a circle. The error names the
  // switch of the circle that comes first in the file.
  bool fail_circle() {
    const auto above = [&](std::size_t id) { return static_cast<std::size_t>(domains_[id].parent); };
    std::size_t at = 0;
    while (waiting_[at] == 0) ++at;
    for (std::size_t steps = 0; steps < domains_.size(); ++steps) at = above(at);
    std::size_t first = at;
    for (std::size_t id = above(at); id != at; id = above(id)) first = std::min(first, id);
    return fail(domains_[first].line, "switch " + quote(domains_[first].name) + " is below " +
                                          quote(domains_[above(first)].name) +
                                          ", which is below it: the switches form a circle");
  }

  const std::vector<SlurmChild>& children_;
  const SlurmLimits& limits_;
  NetworkDescription& network_;
  std::vector<NetworkDescription::Domain>& domains_;
  SlurmFault& fault_;
  std::vector<std::uint32_t> waiting_;  // children whose height is not known yet
};

}  // namespace

bool add_tree_levels(const std::vector<SlurmChild>& children, const SlurmLimits& limits,
                     NetworkDescription& network, SlurmFault& fault) {
  return Tree(children, limits, network, fault).add_levels();
}

}  // namespace cede
