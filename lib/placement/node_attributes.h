// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "placement/space.h"
#include "topology/fit/node_choice.h"

namespace cede {

// What does not change about the group's nodes while sets of victims are tried for one request: network
// domains, fingerprints, whose home they are. By the node's number in the table, for one way of comparing
// fingerprints.
class NodeAttributes {
 public:
  NodeAttributes(const RuleContext& rule_context, const NodeTable& table,
                 const ConformanceRequirement& conformance);

  // By level, numbered in byte order of the domains' names.
  std::span<const std::uint32_t> domains(std::size_t node) const { return table_.domains(node); }
  // Equal where nodes agree; who reports nothing stands alone.
  std::uint32_t fingerprint(std::size_t node) const {
    return reported_.empty() ? static_cast<std::uint32_t>(node) : reported_[node].fingerprint;
  }
  bool reports(std::size_t node) const { return !reported_.empty() && reported_[node].reports; }
  bool borrowed(std::size_t node) const { return !borrowed_.empty() && borrowed_[node]; }
  bool meets_baseline(std::size_t node) const {
    return !has_baseline_ || (!reported_.empty() && reported_[node].baseline);
  }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(model_.levels.size()); }
  // The number of a level, kNowhere for a name that is none.
  std::uint32_t level(std::string_view name) const;
  // How many domains there are.
  std::size_t domain_count() const { return model_.domains.live(); }

 private:
  struct Reported {
    std::uint32_t fingerprint = 0;
    bool reports = false;
    bool baseline = true;
  };
  const Model& model_;
  const NodeTable& table_;
  const bool has_baseline_;
  std::vector<Reported> reported_;  // empty where no node reports anything
  std::vector<bool> borrowed_;      // empty where no node is anybody's home
};

}  // namespace cede
