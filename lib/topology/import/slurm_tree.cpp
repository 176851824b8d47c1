// SPDX-License-Identifier: MIT
#include "topology/import/slurm_tree.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/text.h"

namespace cede {
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

  // Finds the switch each child means, and notes its parent.
  bool link() {
    std::vector<std::uint32_t> order(domains_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return domains_[a].name < domains_[b].name; });
    std::vector<std::uint32_t> lines(domains_.size());  // where each got its parent
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

  // Heights, from the leaves up: the number of levels, or 0 where some switch is never reached.
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

  // Up from a switch that was never reached one only comes to others like it, and at last round a circle. Of
  // that the switch that comes first in the file is told.
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
