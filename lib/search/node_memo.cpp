// SPDX-License-Identifier: MIT
#include "search/node_memo.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cede {

namespace {

constexpr std::size_t kKinds = 64;  // kept at once

std::vector<std::string> labels(const Model& model, const std::vector<const Unit*>& units) {
  std::vector<std::string> out;
  for (const Unit* unit : units) out.push_back(unit_label(model, *unit));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool NodeMemo::is_better(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return false;
  const Entry& one = *by_node_[a];
  const Entry& other = *by_node_[b];
  if (const auto order = one.numbers <=> other.numbers; order != 0) return order < 0;
  // Nobody is on two nodes with the same name.
  return labels(ground_.model(), one.units) < labels(ground_.model(), other.units);
}

void NodeMemo::forget(std::uint32_t node) {
  if (!by_node_[node]) return;
  order_.erase(node);
  uncertain_ -= by_node_[node]->certain ? 0 : 1;
  by_node_[node].reset();
}

// Whether everything is compared and counted as before: what a unit frees is counted in parts of the whole,
// and an interned id may have come to mean something else.
bool NodeMemo::is_same(const SearchTerms& terms) {
  const Asking& asking = terms.asking;
  const Model& model = asking.model();
  std::vector<Total> capacity;
  for (std::uint32_t r = 0; r < asking.usage.resources(); ++r) capacity.push_back(asking.usage.capacity(r));
  const ResourceView shape = model.shape(asking.request.tasks.front().resources);
  const RequirementId id = model.job_extras[asking.request.job.value].require;
  std::shared_ptr<const Requirement> require = id ? model.requirements[id.value] : nullptr;
  const bool same = capacity == capacity_ && require == require_ &&
                    std::equal(shape.begin(), shape.end(), asked_.begin(), asked_.end());
  capacity_ = std::move(capacity);
  require_ = std::move(require);
  asked_.assign(shape.begin(), shape.end());
  return same;
}

std::vector<std::uint32_t> NodeMemo::nodes_to_look_at(const SearchTerms& terms) {
  std::vector<std::uint32_t> nodes;
  if (!is_same(terms) || by_node_.empty() || seen_ < ground_.forgotten()) {
    order_.clear();
    by_node_.clear();
    by_node_.resize(ground_.nodes().size());
    uncertain_ = 0;
    nodes.resize(by_node_.size());
    std::iota(nodes.begin(), nodes.end(), 0);
  } else {
    for (std::uint64_t at = seen_; at < ground_.touched_end(); ++at) nodes.push_back(ground_.touched(at));
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  seen_ = ground_.touched_end();
  return nodes;
}

void NodeMemo::follow(const SearchTerms& terms, const Eligible& eligible) {
  const std::vector<std::uint32_t> nodes = nodes_to_look_at(terms);
  if (nodes.empty()) return;
  std::vector<const Unit*> units;
  for (const std::uint32_t node : nodes) {
    forget(node);
    if (!terms.space.usable(node)) continue;
    for (const Tenant& tenant : ground_.tenants(node)) units.push_back(tenant.unit);
  }
  std::sort(units.begin(), units.end(), [](const Unit* a, const Unit* b) { return a->slot < b->slot; });
  units.erase(std::unique(units.begin(), units.end()), units.end());
  std::erase_if(units, [&](const Unit* unit) { return !eligible(*unit); });
  const Merits merits(terms.objective, units);
  const Counting counting(terms.asking, terms.placer, ground_, terms.space, merits);
  const Fates open(merits.size(), Fate::open);
  NodeTrial trial(counting);
  NodeSubset subset(merits, {}, nullptr);
  const std::uint64_t share =
      static_cast<std::uint64_t>(terms.limits.search_work) / std::max<std::size_t>(1, counting.nodes());
  for (const std::uint32_t node : nodes) {
    if (!counting.may_use(node)) continue;
    trial.load(node, open);
    if (trial.size() == 0) continue;
    subset.arrange(trial);
    if (!trial.takes_without_rest(0, 1)) continue;
    const bool exact = trial.size() <= static_cast<std::size_t>(terms.limits.exact_units);
    std::optional<CostedSet> best;
    if (!exact) subset.start(trial, 1, best);
    auto entry = std::make_unique<Entry>();
    entry->certain = subset.improve(trial, 1, exact ? std::numeric_limits<std::uint64_t>::max() : share, best,
                                    [](const auto&) {});
    if (!best) continue;
    merits.numbers(best->units, entry->numbers);
    for (const Merits::Index index : best->units) entry->units.push_back(&merits.unit(index));
    uncertain_ += entry->certain ? 0 : 1;
    by_node_[node] = std::move(entry);
    order_.insert(node);
  }
}

const NodeMemo::Entry* NodeMemo::best(std::uint32_t& node) const {
  if (order_.empty()) return nullptr;
  node = *order_.begin();
  return by_node_[node].get();
}

NodeMemo& NodeMemos::of(const Ground& ground, const RequestKind& kind) {
  auto at = by_kind_.find(kind);
  if (at == by_kind_.end()) {
    if (by_kind_.size() >= kKinds) by_kind_.clear();
    at = by_kind_.emplace(kind, std::make_unique<NodeMemo>(ground)).first;
  }
  return *at->second;
}

}  // namespace cede
