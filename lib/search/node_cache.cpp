// SPDX-License-Identifier: MIT
#include "search/node_cache.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace cede {

namespace {

constexpr std::size_t kFewUnbounded = 4;    // so few nodes are searched at once, without a bound
constexpr std::size_t kManyForbidden = 16;  // so many sets one after the other: then all of them

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
  unsolved_.erase(node);
  record_.forget(node);
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

namespace {

bool forbids(const CapList& caps, std::span<const Unit* const> units) {
  Work work;  // what a cache does is not counted
  return breaks_any(caps, units, work);
}

}  // namespace

// Searches nodes one by one.
class NodeCache::Look {
 public:
  Look(const SearchProblem& problem, const NodeCandidates& view, const CapList& caps, CapRecord& record)
      : problem_(problem),
        view_(view),
        caps_(caps),
        record_(record),
        fixings_(view.scores.size(), Fixing::open),
        trial_(view.capacity_model, work_),
        share_(work_per_single_node(problem.limits, view.capacity_model.nodes())) {}

  // Null if no set is found.
  std::unique_ptr<Entry> search(std::uint32_t node, bool& certain) {
    std::optional<CostedSet> best = best_of(node, {}, certain);
    const bool forbidden = best && forbids(caps_, units_of(*best));
    if (forbidden) best = best_under_caps(node, certain);
    if (!best) return nullptr;
    auto entry = std::make_unique<Entry>();
    view_.scores.numbers(best->units, entry->numbers);
    entry->units = units_of(*best);
    entry->at = problem_.rule_context.now;
    entry->certain = certain;
    entry->under_caps = forbidden;
    return entry;
  }

 private:
  std::optional<CostedSet> best_of(std::uint32_t node, const CapList& caps, bool& certain) {
    certain = true;
    std::optional<CostedSet> best;
    trial_.load(node, fixings_);
    if (trial_.size() == 0) return best;
    NodeSolver subset(view_.scores, caps, nullptr);
    subset.arrange(trial_);
    if (!trial_.takes_without_rest(0, 1)) return best;
    const bool exact = trial_.size() <= static_cast<std::size_t>(problem_.limits.exact_units);
    if (!exact) subset.start(trial_, 1, best);
    certain = subset.improve(trial_, 1, share_, best, [](const auto&) {});
    if (!best && !certain) subset.start(trial_, 1, best);
    return best;
  }

  // First without the units that no set may contain: often that is enough.
  std::optional<CostedSet> best_under_caps(std::uint32_t node, bool& certain) {
    std::vector<RecordedCap> recorded;
    for (const Cap* cap : caps_) recorded.emplace_back(problem_.rule_context, *cap);
    CapList caps;
    for (const RecordedCap& cap : recorded) caps.push_back(&cap);
    std::vector<CandidateScores::Index> excluded;
    for (const Occupant& occupant : view_.capacity_model.occupants(node)) {
      const CandidateScores::Index unit = view_.capacity_model.candidate(*occupant.unit);
      if (unit == CapacityModel::kNoCandidate || fixings_[unit] != Fixing::open ||
          !forbids(caps, {&occupant.unit, 1}))
        continue;
      fixings_[unit] = Fixing::stays;
      excluded.push_back(unit);
    }
    std::optional<CostedSet> best = best_of(node, {}, certain);
    if (best && forbids(caps, units_of(*best))) best = best_of(node, caps, certain);
    for (const CandidateScores::Index unit : excluded) fixings_[unit] = Fixing::open;
    for (const RecordedCap& cap : recorded) cap.write(node, record_);
    return best;
  }

  std::vector<const Unit*> units_of(const CostedSet& set) const {
    std::vector<const Unit*> units;
    for (const CandidateScores::Index index : set.units) units.push_back(&view_.scores.unit(index));
    return units;
  }

  const SearchProblem& problem_;
  const NodeCandidates& view_;
  const CapList& caps_;
  CapRecord& record_;
  Work work_;
  Fixings fixings_;
  NodeTrial trial_;
  const std::uint64_t share_;
};

void NodeCache::look_at(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
                        const CapList& caps, const std::vector<std::uint32_t>& nodes) {
  const NodeCandidates view(problem, eligible, nodes, book_);
  Look look(problem, view, caps, record_);
  for (const std::uint32_t node : nodes) {
    forget(node);
    if (!view.capacity_model.may_use(node)) continue;
    ++searched_;
    bool certain = true;
    by_node_[node] = look.search(node, certain);
    if (!by_node_[node] && !certain) unsolved_.insert(node);
    if (by_node_[node]) uncertain_ += certain ? 0 : 1;
  }
  play(nodes);
}

void NodeCache::begin(std::size_t nodes) {
  by_node_.clear();
  by_node_.resize(nodes);
  winners_.assign(2 * std::bit_ceil(std::max<std::size_t>(2, nodes)), kNoCandidate);
  uncertain_ = 0;
  unsolved_.clear();
  bounded_.clear();
  bounds_.clear();
  record_.begin(nodes);
}

// The nodes that must be searched, ascending.
std::vector<std::uint32_t> NodeCache::changed(const SearchProblem& problem, const Terms& terms,
                                              const CapList& caps) {
  bool everything = false;
  std::vector<std::uint32_t> nodes = watch_.changed(problem, everything);
  // Results of a later moment bound nothing at this one.
  const bool earlier = terms.order != Order::timeless && problem.rule_context.now < latest_;
  latest_ = problem.rule_context.now;
  const bool other_state = std::exchange(state_, group_index_.state()) != group_index_.state();
  if (everything || earlier || terms.figures != figures_) {
    nodes.resize(group_index_.nodes().size());
    std::iota(nodes.begin(), nodes.end(), 0);
    begin(nodes.size());
    figures_ = terms.figures;
    return nodes;
  }
  if (!other_state) return nodes;
  const std::vector<std::uint32_t> outdated = record_.outdated(caps);
  nodes.insert(nodes.end(), outdated.begin(), outdated.end());
  nodes.insert(nodes.end(), unsolved_.begin(), unsolved_.end());
  // A set that is not certainly the best one is no bound for others once it is forbidden.
  for (std::uint32_t node = 0; uncertain_ > 0 && !caps.empty() && node < by_node_.size(); ++node) {
    const Entry* const entry = by_node_[node].get();
    if (entry && !entry->certain && (entry->under_caps || forbids(caps, entry->units))) nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<std::uint32_t> NodeCache::forbidden_nodes(const CapList& caps) const {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < by_node_.size(); ++node) {
    if (by_node_[node] && forbids(caps, by_node_[node]->units)) nodes.push_back(node);
  }
  return nodes;
}

const NodeCache::Entry* NodeCache::best(const SearchProblem& problem, const Terms& terms,
                                        std::uint32_t& node) {
  CapList caps;
  std::copy_if(problem.caps.begin(), problem.caps.end(), std::back_inserter(caps),
               [](const Cap* cap) { return CapRecord::follows(*cap); });
  const bool timeless = terms.order == Order::timeless;
  std::vector<std::uint32_t> nodes = changed(problem, terms, caps);
  if (terms.order == Order::price && nodes.size() > kFewUnbounded)
    nodes = bound(problem, terms.eligible, nodes);
  if (!nodes.empty()) look_at(problem, terms.eligible, caps, nodes);
  std::size_t most = kFewUnbounded;
  std::size_t forbidden = 0;
  while (unsolved_.empty() && (timeless || uncertain_ == 0)) {
    if (const std::vector<std::uint32_t> next = next_bounded(most); !next.empty()) {
      look_at(problem, terms.eligible, caps, next);
      most = std::min(2 * most, kNodesAtOnce);
      continue;
    }
    node = winners_[1];
    if (node == kNoCandidate) return nullptr;
    const Entry& first = *by_node_[node];
    const bool current = timeless || first.at == problem.rule_context.now;
    if (current && !forbids(caps, first.units)) return &first;
    const bool many = current && ++forbidden == kManyForbidden;
    look_at(problem, terms.eligible, caps, many ? forbidden_nodes(caps) : std::vector{node});
  }
  return nullptr;
}

}  // namespace cede
