// SPDX-License-Identifier: MIT
#include "search/terrain.h"

#include <algorithm>

#include "policy/borrowing.h"
#include "topology/conformance.h"

namespace cede {

std::vector<std::uint32_t> rank_domains(const Model& model) {
  std::vector<DomainId> ids;
  model.domains.for_each([&](DomainId id, const DomainRow&) { ids.push_back(id); });
  std::sort(ids.begin(), ids.end(), [&](DomainId a, DomainId b) {
    return model.name(model.domains[a].name) < model.name(model.domains[b].name);
  });
  std::vector<std::uint32_t> ranks(model.domains.id_bound(), kNowhere);
  for (std::uint32_t i = 0; i < ids.size(); ++i) ranks[ids[i].value] = i;
  return ranks;
}

std::vector<std::uint32_t> domains_of(const Model& model, const NodeRow& node,
                                      std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> out(model.levels.size(), kNowhere);
  for (const DomainId listed : model.node_domains(node)) {
    for (DomainId at = listed; at; at = model.domains[at].parent)
      out[model.domains[at].level] = numbers[at.value];
  }
  return out;
}

Terrain::Terrain(const Asking& asking, std::span<const NodeSpace> nodes, const ConformanceNeed& conformance)
    : model_(asking.model()), levels_(asking.model().levels.size()), facts_(nodes.size()) {
  const std::vector<std::uint32_t> ranks = rank_domains(model_);
  domain_count_ = model_.domains.live();
  domains_.reserve(nodes.size() * levels_);
  FingerprintSets sets(model_, conformance, asking.now);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::vector<std::uint32_t> own = domains_of(model_, model_.nodes[nodes[i].id], ranks);
    domains_.insert(domains_.end(), own.begin(), own.end());
    Facts& facts = facts_[i];
    const FingerprintSets::Answer answer = sets.of(nodes[i].id);
    facts.fingerprint = answer.set;
    facts.reports = answer.reports;
    facts.borrowed = asking.queue() && borrows(model_, asking.queue(), nodes[i].id);
    facts.baseline = conformance.mode != ConformanceMode::baseline || sets.meets_baseline(nodes[i].id);
  }
}

std::uint32_t Terrain::level(std::string_view name) const {
  for (std::size_t i = 0; i < model_.levels.size(); ++i) {
    if (model_.name(model_.levels[i]) == name) return static_cast<std::uint32_t>(i);
  }
  return kNowhere;
}

}  // namespace cede
