// SPDX-License-Identifier: MIT
#include "search/node_cache.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cede {

namespace {

constexpr std::size_t kFewUnbounded = 4;  // so few nodes are searched at once, without a bound

}  // namespace

bool NodeCache::is_better(std::uint32_t a, std::uint32_t b) const {
  const Entry& one = *by_node_[a];
  const Entry& other = *by_node_[b];
  if (const auto order = one.numbers <=> other.numbers; order != 0) return order < 0;
  // Names break the remaining ties.
  return unit_labels(group_index_.model(), one.units) < unit_labels(group_index_.model(), other.units);
}

std::uint32_t NodeCache::better(std::uint32_t a, std::uint32_t b) const {
  if (a == kNoCandidate || b == kNoCandidate) return a == kNoCandidate ? b : a;
  return is_better(a, b) ? a : b;
}

// Updates the winner tree from these nodes up to the root.
void NodeCache::play(const std::vector<std::uint32_t>& nodes) {
  const std::size_t first = winners_.size() / 2;
  std::vector<std::size_t> places;
  for (const std::uint32_t node : nodes) {
    winners_[first + node] = by_node_[node] ? node : kNoCandidate;
    places.push_back((first + node) / 2);
  }
  // Nodes ascend, so their places ascend and equal ones are neighbours.
  while (!places.empty() && places.front() > 0) {
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (std::size_t& place : places) {
      winners_[place] = better(winners_[2 * place], winners_[2 * place + 1]);
      place /= 2;
    }
  }
}

void NodeCache::forget(std::uint32_t node) {
  if (by_node_[node]) uncertain_ -= by_node_[node]->certain ? 0 : 1;
  by_node_[node].reset();
  if (!bounds_.empty()) bounds_[node] = kNoBound;
}

// Computes bounds instead of sets. Returns the nodes that must be searched: no bound can be computed, or the
// best set could not be certain.
std::vector<std::uint32_t> NodeCache::bound(const SearchProblem& problem,
                                            const NodeCandidates::Eligible& eligible,
                                            const std::vector<std::uint32_t>& nodes) {
  const CandidateScores nobody(problem.rule_context.model(), {});
  const CapacityModel capacity_model(problem.rule_context, problem.placer, problem.group_index, problem.space,
                                     nobody, &book_);
  if (!NodeBounds::tells(capacity_model)) return nodes;
  if (bounds_.empty()) bounds_.assign(by_node_.size(), kNoBound);
  UnitPrices prices(problem, eligible);
  if (nodes.size() > by_node_.size() / 2) prices.work_out_all();
  std::vector<NodeBounds::Answer> answers(nodes.size());
  const std::size_t pieces = (nodes.size() + kNodesAtOnce - 1) / kNodesAtOnce;
  each_piece(workers_for(problem.workers, group_index_.units().size()), pieces, [&](std::size_t piece) {
    NodeBounds bounds(capacity_model, prices, static_cast<std::size_t>(problem.limits.exact_units));
    const std::size_t end = std::min(nodes.size(), (piece + 1) * kNodesAtOnce);
    for (std::size_t i = piece * kNodesAtOnce; i < end; ++i) answers[i] = bounds.of(nodes[i]);
  });
  std::vector<std::uint32_t> left;
  std::vector<std::uint32_t> gone;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (by_node_[nodes[i]]) gone.push_back(nodes[i]);
    forget(nodes[i]);
    if (answers[i].kind == NodeBounds::Answer::Kind::unknown) left.push_back(nodes[i]);
    if (answers[i].kind != NodeBounds::Answer::Kind::at_least) continue;
    bounds_[nodes[i]] = answers[i].price;
    bounded_.push_back({answers[i].price, nodes[i]});
    std::push_heap(bounded_.begin(), bounded_.end(), std::greater<>());
  }
  if (bounded_.size() > 2 * by_node_.size()) {
    std::erase_if(bounded_, [&](const Bounded& each) { return bounds_[each.node] != each.price; });
    std::make_heap(bounded_.begin(), bounded_.end(), std::greater<>());
  }
  play(gone);
  return left;
}

// The nodes with the lowest bounds whose set may be as good as the best one so far.
std::vector<std::uint32_t> NodeCache::next_bounded(std::size_t most) {
  const Entry* const best = winners_[1] == kNoCandidate ? nullptr : by_node_[winners_[1]].get();
  std::vector<std::uint32_t> nodes;
  while (!bounded_.empty() && nodes.size() < most) {
    const Bounded first = bounded_.front();
    const bool counts = bounds_[first.node] == first.price;
    if (counts && best && best->numbers[0] == 0 && first.price > best->numbers[1]) break;
    std::pop_heap(bounded_.begin(), bounded_.end(), std::greater<>());
    bounded_.pop_back();
    if (!counts) continue;
    bounds_[first.node] = kNoBound;
    nodes.push_back(first.node);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

void NodeCache::look_at(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
                        const std::vector<std::uint32_t>& nodes) {
  const NodeCandidates view(problem, eligible, nodes, book_);
  const Fixings open(view.scores.size(), Fixing::open);
  Work work;
  NodeTrial trial(view.capacity_model, work);
  NodeSolver subset(view.scores, {}, nullptr);
  const std::uint64_t share = work_per_single_node(problem.limits, view.capacity_model.nodes());
  for (const std::uint32_t node : nodes) {
    forget(node);
    if (!view.capacity_model.may_use(node)) continue;
    trial.load(node, open);
    if (trial.size() == 0) continue;
    subset.arrange(trial);
    if (!trial.takes_without_rest(0, 1)) continue;
    const bool exact = trial.size() <= static_cast<std::size_t>(problem.limits.exact_units);
    std::optional<CostedSet> best;
    if (!exact) subset.start(trial, 1, best);
    auto entry = std::make_unique<Entry>();
    entry->at = problem.rule_context.now;
    entry->certain = subset.improve(trial, 1, share, best, [](const auto&) {});
    if (!best && !entry->certain) subset.start(trial, 1, best);
    if (!best) continue;
    view.scores.numbers(best->units, entry->numbers);
    for (const CandidateScores::Index index : best->units) entry->units.push_back(&view.scores.unit(index));
    uncertain_ += entry->certain ? 0 : 1;
    by_node_[node] = std::move(entry);
  }
  play(nodes);
}

const NodeCache::Entry* NodeCache::best(const SearchProblem& problem,
                                        const NodeCandidates::Eligible& eligible, Order order,
                                        std::uint32_t& node) {
  const Time now = problem.rule_context.now;
  const bool timeless = order == Order::timeless;
  bool everything = false;
  std::vector<std::uint32_t> nodes = watch_.changed(problem, everything);
  if (!everything && !timeless && now < latest_) {
    // Results of a later moment bound nothing at this one.
    everything = true;
    nodes.resize(by_node_.size());
    std::iota(nodes.begin(), nodes.end(), 0);
  }
  if (everything) {
    by_node_.clear();
    by_node_.resize(nodes.size());
    winners_.assign(2 * std::bit_ceil(std::max<std::size_t>(2, nodes.size())), kNoCandidate);
    uncertain_ = 0;
    bounded_.clear();
    bounds_.clear();
  }
  latest_ = now;
  if (order == Order::price && nodes.size() > kFewUnbounded) nodes = bound(problem, eligible, nodes);
  if (!nodes.empty()) look_at(problem, eligible, nodes);
  if (!timeless && uncertain_ > 0) return nullptr;
  std::size_t most = kFewUnbounded;
  while (true) {
    if (const std::vector<std::uint32_t> next = next_bounded(most); !next.empty()) {
      look_at(problem, eligible, next);
      most = std::min(2 * most, kNodesAtOnce);
      continue;
    }
    node = winners_[1];
    if (node == kNoCandidate) return nullptr;
    if (timeless || by_node_[node]->at == now) return by_node_[node].get();
    look_at(problem, eligible, {node});
    if (uncertain_ > 0) return nullptr;
  }
}

}  // namespace cede
