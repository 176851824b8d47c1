// SPDX-License-Identifier: MIT
#include "search/domain_cache.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cede {

// Assigns every node to its domain again. False if nothing changed.
bool DomainCache::group_nodes(std::uint32_t level) {
  const NodeTable& table = group_index_.nodes();
  std::map<std::uint32_t, std::vector<std::uint32_t>> domains;
  for (std::uint32_t node = 0; node < table.size(); ++node) {
    const std::uint32_t number = table.domains(node)[level];
    if (number != kNowhere) domains[number].push_back(node);
  }
  const bool same = std::equal(domains.begin(), domains.end(), domains_.begin(), domains_.end(),
                               [](const auto& now, const Domain& then) {
                                 return now.first == then.number && now.second == then.nodes;
                               });
  if (same) return false;
  domains_.clear();
  domain_of_.assign(table.size(), kNoCandidate);
  for (auto& [number, nodes] : domains) {
    for (const std::uint32_t node : nodes) domain_of_[node] = static_cast<std::uint32_t>(domains_.size());
    domains_.push_back({number, std::move(nodes), 0, {}});
  }
  return true;
}

void DomainCache::look_at(const SearchProblem& terms, const NodeCandidates::Eligible& eligible,
                          const std::vector<std::uint32_t>& nodes, const DomainConstraint& need) {
  const std::size_t pieces = (nodes.size() + kNodesAtOnce - 1) / kNodesAtOnce;
  each_piece(
      pieces > 1 ? workers_for(terms.workers, group_index_.units().size()) : nullptr, pieces,
      [&](std::size_t piece) {
        const std::vector<std::uint32_t> part(
            nodes.begin() + static_cast<std::ptrdiff_t>(piece * kNodesAtOnce),
            nodes.begin() + static_cast<std::ptrdiff_t>(std::min(nodes.size(), (piece + 1) * kNodesAtOnce)));
        std::vector<CandidateScores::Index> own;
        const NodeCandidates view(terms, eligible, part, pieces > 1 ? own : books_[0]);
        SolverScratch scratch(view.capacity_model, Fixings(view.scores.size(), Fixing::open),
                              work_per_node(terms.limits, group_index_.nodes().size()));
        const CapList none;
        for (const std::uint32_t node : part) {
          NodeSteps& out = by_node_[node];
          out = {};
          if (!view.capacity_model.may_use(node)) continue;
          const PlaceSolver place(view.capacity_model, none, scratch, {node}, &need);
          out.takes = static_cast<std::uint32_t>(place.takes());
          for (const Cost& cost : place.step_costs()) out.steps.push_back(lead_of(cost));
        }
      });
}

void DomainCache::gather(Domain& domain) const {
  domain.takes = 0;
  domain.steps.clear();
  for (const std::uint32_t node : domain.nodes) {
    domain.takes += by_node_[node].takes;
    domain.steps.insert(domain.steps.end(), by_node_[node].steps.begin(), by_node_[node].steps.end());
  }
  std::sort(domain.steps.begin(), domain.steps.end());
}

void DomainCache::follow(const SearchProblem& terms, const NodeCandidates::Eligible& eligible,
                         const DomainConstraint& need) {
  bool everything = false;
  std::vector<std::uint32_t> nodes = watch_.changed(terms, everything);
  if (nodes.empty() && !weak_ && terms.rule_context.now >= since_) return;
  everything = everything || weak_ || terms.rule_context.now < since_;
  if (everything || std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
        const std::uint32_t now = group_index_.nodes().domains(node)[need.level];
        const std::uint32_t then = domain_of_[node];
        return now != (then == kNoCandidate ? kNowhere : domains_[then].number);
      }))
    everything = group_nodes(need.level) || everything;
  if (everything) {
    nodes.resize(group_index_.nodes().size());
    std::iota(nodes.begin(), nodes.end(), 0);
    by_node_.clear();
    by_node_.resize(nodes.size());
    since_ = terms.rule_context.now;
    weak_ = false;
  }
  look_at(terms, eligible, nodes, need);
  std::vector<std::uint32_t> others;
  for (const std::uint32_t node : nodes) {
    if (domain_of_[node] != kNoCandidate) others.push_back(domain_of_[node]);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  for (const std::uint32_t each : others) gather(domains_[each]);
}

}  // namespace cede
