// SPDX-License-Identifier: MIT
#include "search/terrain.h"

#include "policy/borrowing.h"
#include "topology/conformance.h"

namespace cede {

Terrain::Terrain(const Asking& asking, const NodeTable& table, const ConformanceNeed& conformance)
    : model_(asking.model()), table_(table), has_baseline_(conformance.mode == ConformanceMode::baseline) {
  if (table.any_fingerprint()) {
    FingerprintSets sets(model_, conformance, asking.now);
    reported_.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const NodeId node = table.nodes()[i].id;
      const FingerprintSets::Answer answer = sets.of(node);
      reported_[i] = {answer.set, answer.reports, !has_baseline_ || sets.meets_baseline(node)};
    }
  }
  if (table.any_home() && asking.queue()) {
    borrowed_.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i)
      borrowed_[i] = borrows(model_, asking.queue(), table.nodes()[i].id);
  }
}

std::uint32_t Terrain::level(std::string_view name) const {
  for (std::size_t i = 0; i < model_.levels.size(); ++i) {
    if (model_.name(model_.levels[i]) == name) return static_cast<std::uint32_t>(i);
  }
  return kNowhere;
}

}  // namespace cede
