// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "placement/space.h"
#include "topology/fit/node_choice.h"

namespace cede {

// What stays the same about the group's nodes while sets of victims are tried for one request: network
// domains, fingerprints, homes. Indexed by the node's number in the table, for one way of comparing
// fingerprints.
class NodeAttributes {
 public:
  NodeAttributes(const RuleContext& rule_context, const NodeTable& table,
                 const ConformanceRequirement& conformance);

  // By level; domains are numbered in the byte order of their names.
  std::span<const std::uint32_t> domains(std::size_t node) const { return table_.domains(node); }
  // Equal if the nodes agree. A node that reports nothing has its own number.
  std::uint32_t fingerprint(std::size_t node) const {
    return reported_.empty() ? static_cast<std::uint32_t>(node) : reported_[node].fingerprint;
  }
  bool reports(std::size_t node) const { return !reported_.empty() && reported_[node].reports; }
  bool borrowed(std::size_t node) const { return !borrowed_.empty() && borrowed_[node]; }
  bool meets_baseline(std::size_t node) const {
    return !has_baseline_ || (!reported_.empty() && reported_[node].baseline);
  }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(model_.levels.size()); }
  // The number of a level; kNowhere if there is no level of that name.
  std::uint32_t level(std::string_view name) const;
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
  std::vector<Reported> reported_;  // empty if no node reports anything
  std::vector<bool> borrowed_;      // empty if no node is a home
};

}  // namespace cede
