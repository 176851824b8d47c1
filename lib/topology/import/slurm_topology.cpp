// SPDX-License-Identifier: MIT
#include "topology/import/slurm_topology.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "base/text.h"
#include "topology/import/hostlist.h"
#include "topology/import/slurm_blocks.h"
#include "topology/import/slurm_lines.h"
#include "topology/import/slurm_tree.h"

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

  // A node named twice below one switch counts once, as it does for Slurm; below two it is an error.
  bool check_nodes() {
    std::vector<NetworkDescription::Node>& nodes = network_.nodes;
    std::vector<std::uint32_t> order(nodes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nodes[a].name < nodes[b].name; });
    std::vector<bool> repeated(nodes.size());
    std::size_t clash = nodes.size();  // the first node, in the order of the file, that is elsewhere already
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
  std::uint32_t kind_line_ = 0;  // where the kind was settled
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

}  // namespace cede
