// SPDX-License-Identifier: MIT
#include "placement/node_attributes.h"

#include "policy/borrowed_nodes.h"
#include "topology/fit/conformance.h"

namespace cede {

NodeAttributes::NodeAttributes(const RuleContext& rule_context, const NodeTable& table,
                               const ConformanceRequirement& conformance)
    : model_(rule_context.model()),
      table_(table),
      has_baseline_(conformance.mode == ConformanceMode::baseline) {
  if (table.any_fingerprint()) {
    FingerprintSets sets(model_, conformance, rule_context.now);
    reported_.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const NodeId node = table.nodes()[i].id;
      const FingerprintSets::Answer answer = sets.of(node);
      reported_[i] = {answer.set, answer.reports, !has_baseline_ || sets.meets_baseline(node)};
    }
  }
  if (table.any_home() && rule_context.queue()) {
    borrowed_.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i)
      borrowed_[i] = borrows(model_, rule_context.queue(), table.nodes()[i].id);
  }
}

std::uint32_t NodeAttributes::level(std::string_view name) const {
  for (std::size_t i = 0; i < model_.levels.size(); ++i) {
    if (model_.name(model_.levels[i]) == name) return static_cast<std::uint32_t>(i);
  }
  return kNowhere;
}

}  // namespace cede
