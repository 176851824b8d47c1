// SPDX-License-Identifier: MIT
#include "search/subproblem_solver.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "search/capped_node_search.h"
#include "search/greedy_set.h"

namespace cede {

namespace {

// The largest number of these nodes in any choice of as many domains as may be used together.
std::uint32_t most_together(const NodeAttributes& attributes, const std::vector<std::uint32_t>& nodes,
                            const DomainConstraint& need) {
  std::map<std::uint32_t, std::uint32_t> by_domain;
  for (const std::uint32_t node : nodes) ++by_domain[attributes.domains(node)[need.level]];
  std::vector<std::uint32_t> counts;
  for (const auto& [domain, count] : by_domain) counts.push_back(count);
  std::sort(counts.begin(), counts.end(), std::greater<>());
  counts.resize(std::min<std::size_t>(counts.size(), need.max_domains));
  return std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
}

}  // namespace

SubproblemSolver::SubproblemSolver(const CapacityModel& capacity_model, const CapList& caps,
                                   SolverScratch& scratch, std::vector<std::uint32_t> nodes,
                                   const DomainConstraint* part_of)
    : capacity_model_(capacity_model),
      scores_(capacity_model.scores()),
      caps_(caps),
      scratch_(scratch),
      nodes_(std::move(nodes)),
      subset_(scores_, CapList{}, &scratch.shares),
      open_before_(scratch.work.left_open()) {
  find_shared(part_of);
  by_node_.reserve(nodes_.size());
  for (const std::uint32_t node : nodes_) {
    const NodeSteps& steps = by_node_.emplace_back(steps_of(node));
    most_ += steps.takes + steps.steps.size();
  }
  if (is_enough()) bound_ = scores_.raised(select());
}

SubproblemSolver::~SubproblemSolver() {
  for (const Index unit : shared_) scratch_.shares[unit] = 0;
}

void SubproblemSolver::find_shared(const DomainConstraint* part_of) {
  std::vector<std::uint32_t> on;
  for (const std::uint32_t node : nodes_) {
    for (const Occupant& occupant : capacity_model_.occupants(node)) {
      if (occupant.unit->tasks.size() < 2) continue;
      const Index unit = capacity_model_.candidate(*occupant.unit);
      if (unit == CapacityModel::kNoCandidate || scratch_.shares[unit] != 0) continue;
      capacity_model_.nodes_of(unit, on);
      scratch_.work.spend(10 + 5 * on.size());
      const auto here = std::count_if(on.begin(), on.end(), [&](std::uint32_t each) {
        return std::binary_search(nodes_.begin(), nodes_.end(), each);
      });
      scratch_.shares[unit] = part_of ? most_together(capacity_model_.attributes(), on, *part_of)
                                      : static_cast<std::uint32_t>(here);
      shared_.push_back(unit);
    }
  }
}

// One step per additional task. The steps are sets if each adds units to the one before and costs no less.
SubproblemSolver::NodeSteps SubproblemSolver::steps_of(std::uint32_t node) {
  NodeSteps out;
  NodeTrial& trial = scratch_.trial;
  trial.load(node, scratch_.fixings);
  out.takes = trial.capacity();
  scratch_.work.spend(10);
  out.forced = trial.size() == 0;
  if (out.forced) return out;
  // If no unit can stay, there is only one set.
  if (trial.needs_everybody(out.takes + 1)) {
    out.forced = true;
    Step& step = out.steps.emplace_back();
    step.units.reserve(trial.size());
    for (std::size_t at = 0; at < trial.size(); ++at) {
      step.units.push_back(trial.unit(at));
      step.cost.add(subset_.charge(trial.unit(at)));
    }
    scores_.tail(step.units, step.tail);
    scratch_.work.spend(5 * trial.size());
    return out;
  }
  subset_.arrange(trial);
  std::uint32_t most = out.takes;
  while (most < capacity_model_.most_per_node() && trial.takes_without_rest(0, most + 1)) ++most;
  out.forced = most == out.takes;
  std::vector<CostedSet> sets;
  bool good = true;
  bool complete = true;
  for (std::uint32_t tasks = out.takes + 1; tasks <= most; ++tasks) {
    std::optional<CostedSet> best;
    if (!subset_.improve(trial, tasks, scratch_.node_share, best, [](const auto&) {})) {
      complete = false;
      if (!best) subset_.start(trial, tasks, best);
    }
    if (!best) best.emplace();
    scratch_.work.spend(10 + 2 * best->units.size());
    sets.push_back(std::move(*best));
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Step step;
    step.cost = sets[i].cost;
    step.units = sets[i].units;
    if (i > 0) {
      for (const Index unit : sets[i - 1].units) {
        const auto at = std::find(step.units.begin(), step.units.end(), unit);
        if (at == step.units.end()) {
          good = false;
        } else {
          step.units.erase(at);
        }
      }
      step.cost.add(sets[i - 1].cost, -1);
      good = good && out.steps.back().cost <= step.cost;
    }
    out.steps.push_back(std::move(step));
  }
  if (good && complete) {
    for (Step& step : out.steps) scores_.tail(step.units, step.tail);
    return out;
  }
  // If not every subset was tried, all that is certain is that at least one unit must go.
  const Cost cheapest = subset_.charge(trial.unit(0));
  set_hull_steps(out, std::move(sets), complete ? nullptr : &cheapest);
  const auto position = std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin();
  for (Step& step : out.steps) step.node = static_cast<std::uint32_t>(position);
  return out;
}

namespace {

constexpr std::size_t kLongestHull = 64;  // so that costs times steps are no overflow
constexpr std::size_t kMostShared = 512;

}  // namespace

// Charges every step what the lower convex hull of the sets' costs rises by. `least`: the sets may not be the
// cheapest, but each costs at least this; null: they are the cheapest.
void SubproblemSolver::set_hull_steps(NodeSteps& node, std::vector<CostedSet> sets, const Cost* least) {
  node.steps.assign(sets.size(), Step{{}, {}, {}, false});
  const auto cost_of = [&](std::size_t tasks) { return tasks == 0 ? Cost{} : sets[tasks - 1].cost; };
  const auto rise = [&](std::size_t from, std::size_t to) {
    Cost out = cost_of(to);
    out.add(cost_of(from), -1);
    return out;
  };
  const auto times = [](const Cost& cost, std::size_t count) {
    Cost out;
    out.add(cost, static_cast<Total>(count));
    return out;
  };
  scratch_.work.spend(20 * sets.size());
  if (least || sets.size() > kLongestHull) {
    Cost each = (least ? *least : sets.back().cost).shared_by(static_cast<Total>(sets.size()));
    for (std::size_t i = 0; !least && i < sets.size(); ++i)
      each = std::min(each, sets[i].cost.shared_by(static_cast<Total>(i + 1)));
    for (Step& step : node.steps) step.cost = each;
    node.sets = std::move(sets);
    return;
  }
  std::vector<std::size_t> corners{0};
  for (std::size_t to = 1; to <= sets.size(); ++to) {
    while (corners.size() > 1) {
      const std::size_t b = corners.back();
      const std::size_t a = corners[corners.size() - 2];
      if (times(rise(a, b), to - b) < times(rise(b, to), b - a)) break;
      corners.pop_back();
    }
    corners.push_back(to);
  }
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const Cost each =
        rise(corners[i - 1], corners[i]).floor_shared_by(static_cast<Total>(corners[i] - corners[i - 1]));
    for (std::size_t k = corners[i - 1]; k < corners[i]; ++k) node.steps[k].cost = each;
  }
  node.sets = std::move(sets);
}

std::uint64_t SubproblemSolver::takes() const {
  std::uint64_t sum = 0;
  for (const NodeSteps& node : by_node_) sum += node.takes;
  return sum;
}

std::vector<Cost> SubproblemSolver::step_costs() const {
  std::vector<Cost> costs;
  for (const NodeSteps& node : by_node_) {
    for (const Step& step : node.steps) costs.push_back(step.cost);
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

Cost SubproblemSolver::select() {
  std::uint64_t takes = 0;
  selected_.clear();
  for (const NodeSteps& node : by_node_) {
    takes += node.takes;
    for (const Step& step : node.steps) selected_.push_back(&step);
  }
  const std::uint64_t offered = selected_.size();
  const std::uint64_t shortfall = capacity_model_.tasks() > takes ? capacity_model_.tasks() - takes : 0;
  const auto cheaper = [&](const Step* a, const Step* b) {
    if (a->cost != b->cost) return a->cost < b->cost;
    if (const auto order = a->tail <=> b->tail; order != 0) return order < 0;
    return scores_.compare_names(a->units, b->units) < 0;
  };
  if (shortfall < selected_.size()) {
    std::nth_element(selected_.begin(), selected_.begin() + static_cast<std::ptrdiff_t>(shortfall),
                     selected_.end(), cheaper);
    selected_.resize(shortfall);
  }
  scratch_.work.spend(by_node_.size() / 4 + 2 * offered);
  Cost sum;
  for (const Step* step : selected_) sum.add(step->cost);
  return sum;
}

std::optional<std::vector<SubproblemSolver::Index>> SubproblemSolver::selected_units() const {
  std::vector<Index> units;
  std::vector<std::uint32_t> unreal;  // positions of nodes, once per step
  for (const Step* step : selected_) {
    units.insert(units.end(), step->units.begin(), step->units.end());
    if (!step->real) unreal.push_back(step->node);
  }
  std::sort(unreal.begin(), unreal.end());
  for (std::size_t i = 0; i < unreal.size();) {
    const std::size_t from = i;
    while (i < unreal.size() && unreal[i] == unreal[from]) ++i;
    const std::vector<Index>& set = by_node_[unreal[from]].sets[i - from - 1].units;
    if (set.empty()) return std::nullopt;
    units.insert(units.end(), set.begin(), set.end());
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

bool SubproblemSolver::breaks_cap(const std::vector<Index>& indexes) const {
  if (caps_.empty()) return false;
  std::vector<const Unit*> units;
  for (const Index index : indexes) units.push_back(&scores_.unit(index));
  return breaks_any(caps_, units, scratch_.work);
}

void SubproblemSolver::offer(const std::vector<Index>& units, std::optional<CostedSet>& best) {
  scratch_.work.spend(10 + 4 * units.size());
  CostedSet set{scores_.cost(units), units};
  if (best) {
    if (set.cost > best->cost) return;
    if (set.cost == best->cost && scores_.compare(set.units, best->units) >= 0) return;
  }
  if (breaks_cap(units)) {
    cap_broken_ = true;
    return;
  }
  best = std::move(set);
}

// Tries the selected steps as a set. True if no set is better: none of its units was charged in part only.
bool SubproblemSolver::take_selected(std::optional<CostedSet>& best) {
  select();
  const std::optional<std::vector<Index>> units = selected_units();
  if (!units) return false;
  cap_broken_ = false;
  offer(*units, best);
  return !cap_broken_ &&
         std::none_of(units->begin(), units->end(), [&](Index unit) { return scratch_.shares[unit] > 1; }) &&
         std::all_of(selected_.begin(), selected_.end(), [](const Step* step) { return step->real; });
}

// Only with the nodes that a set as good as the best may need.
SpanningSolver::Answer SubproblemSolver::search_spanning(std::optional<CostedSet>& best) {
  const Cost sum = select();
  Cost highest;
  for (const Step* step : selected_) highest = std::max(highest, step->cost);
  std::vector<std::uint32_t> nodes;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (by_node_[i].steps.empty()) continue;
    const Cost& first = by_node_[i].steps.front().cost;
    if (best && first > highest) {
      Cost least = sum;
      least.add(first);
      least.add(highest, -1);
      if (scores_.raised(least) > best->cost) continue;
    }
    nodes.push_back(nodes_[i]);
  }
  return SpanningSolver(capacity_model_, caps_, scratch_).run(nodes, capacity_model_.tasks() - takes(), best);
}

std::vector<SubproblemSolver::Index> SubproblemSolver::given_back(SubproblemCapacity& count,
                                                                  std::vector<Index> gone) const {
  std::vector<Index> kept;
  scratch_.work.spend(10 * gone.size());
  for (const Index unit : gone) {
    count.put_back(unit);
    if (count.total() >= capacity_model_.tasks()) continue;
    count.remove(unit);
    kept.push_back(unit);
  }
  for (const Index unit : kept) count.put_back(unit);
  return kept;
}

// What simple schedulers do: remove all units and put them back, costliest first; or remove the cheapest
// units until there is room, then put back. No answer is worse than theirs.
void SubproblemSolver::start_values(std::optional<CostedSet>& best) {
  SubproblemCapacity count(capacity_model_, nodes_, scratch_.fixings, scratch_.work);
  std::vector<Index> order = count.units();
  scratch_.work.spend(20 * order.size());
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return scores_.compare(a, b) < 0; });
  std::vector<Index> gone;
  for (const Index unit : order) {
    if (count.total() >= capacity_model_.tasks()) break;
    count.remove(unit);
    gone.push_back(unit);
  }
  std::reverse(gone.begin(), gone.end());
  offer(given_back(count, gone), best);
  for (const Index unit : order) count.remove(unit);
  std::reverse(order.begin(), order.end());
  offer(given_back(count, order), best);
  // The selected steps as a set; a unit on several nodes counts once.
  const std::optional<std::vector<Index>> chosen = selected_units();
  if (!chosen || chosen->empty()) return;
  for (const Index unit : *chosen) count.remove(unit);
  if (count.total() < capacity_model_.tasks()) return;
  std::vector<Index> costliest = *chosen;
  std::sort(costliest.begin(), costliest.end(), [&](Index a, Index b) { return scores_.compare(b, a) < 0; });
  offer(given_back(count, costliest), best);
}

// No more nodes are tried than a good set may need.
void SubproblemSolver::start_greedily(std::optional<CostedSet>& best) {
  std::vector<std::pair<const Cost*, std::uint32_t>> cheapest;  // the first step of every node
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!by_node_[i].steps.empty()) cheapest.emplace_back(&by_node_[i].steps.front().cost, nodes_[i]);
  }
  const std::size_t enough = 64 + 4 * static_cast<std::size_t>(capacity_model_.tasks());
  const auto is_less = [](const auto& a, const auto& b) {
    return *a.first != *b.first ? *a.first < *b.first : a.second < b.second;
  };
  scratch_.work.spend(4 * cheapest.size());
  if (cheapest.size() > enough) {
    std::nth_element(cheapest.begin(), cheapest.begin() + static_cast<std::ptrdiff_t>(enough), cheapest.end(),
                     is_less);
    cheapest.resize(enough);
  }
  std::vector<std::uint32_t> promising;
  for (const auto& [cost, node] : cheapest) promising.push_back(node);
  std::vector<std::pair<Cost, Index>> ranked;  // what a shared unit costs per task of its own
  for (const Index unit : shared_)
    ranked.emplace_back(scores_.cost(unit).shared_by(static_cast<Total>(scores_.unit(unit).tasks.size())),
                        unit);
  scratch_.work.spend(10 * ranked.size());
  std::sort(ranked.begin(), ranked.end());
  std::vector<Index> shared;
  for (const auto& [cost, unit] : ranked) {
    if (shared.size() < kMostShared) shared.push_back(unit);
  }
  std::optional<std::vector<Index>> units;
  {
    GreedySet greedy(capacity_model_, caps_, scratch_, nodes_, promising, std::move(shared));
    units = greedy.run(takes());
  }
  if (!units || units->empty()) return;
  CostedSet set{scores_.cost(*units), std::move(*units)};
  make_minimal(set);
  std::sort(set.units.begin(), set.units.end());
  offer(set.units, best);
}

// The best choice of nodes within the caps. True if that is the best set, because no node leaves a choice of
// its units.
bool SubproblemSolver::search_nodes(std::optional<CostedSet>& best) {
  bool forced = true;
  std::vector<CappedNodeSearch::Node> offers;
  for (const NodeSteps& node : by_node_) {
    forced = forced && node.forced;
    CappedNodeSearch::Node& offer = offers.emplace_back();
    for (const Step& step : node.steps) {
      if (!step.real) break;
      offer.push_back({step.cost, step.units});
    }
  }
  const std::uint64_t free = takes();
  if (free >= capacity_model_.tasks()) return false;
  CappedNodeSearch search(scores_, caps_, std::move(offers), scratch_.work);
  const bool all = search.run(
      capacity_model_.tasks() - free, [&] { return best ? &best->cost : nullptr; },
      [&](std::vector<Index> units) {
        std::sort(units.begin(), units.end());
        offer(units, best);
      });
  return all && forced;
}

// Enumerates all sets of the subproblem's units in the order of the objective and prunes those that cannot
// improve. The bound: the missing tasks need at least so many more units, which cost no less than the next
// ones in that order.
bool SubproblemSolver::search_units(std::optional<CostedSet>& best) {
  SubproblemCapacity chosen_count(capacity_model_, nodes_, scratch_.fixings, scratch_.work);
  SubproblemCapacity rest_count(capacity_model_, nodes_, scratch_.fixings, scratch_.work);
  std::vector<Index> order = chosen_count.units();
  scratch_.work.spend(30 * order.size());
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Cost ca = scores_.cost(a);
    const Cost cb = scores_.cost(b);
    return ca != cb ? ca < cb : scores_.compare(a, b) < 0;
  });
  std::uint64_t gain = 1;
  std::vector<Cost> sums(order.size() + 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    rest_count.remove(order[i]);
    gain = std::max(gain, chosen_count.most_gain(order[i]));
    sums[i + 1] = sums[i];
    sums[i + 1].add(scores_.cost(order[i]));
  }
  CostedSet chosen;
  const auto is_minimal = [&] {
    scratch_.work.spend(10 * chosen.units.size());
    for (const Index unit : chosen.units) {
      chosen_count.put_back(unit);
      const bool still = chosen_count.total() >= capacity_model_.tasks();
      chosen_count.remove(unit);
      if (still) return false;
    }
    return true;
  };
  const auto descend = [&](const auto& self, std::size_t next) -> bool {
    if (chosen.units.size() > kDeepest) return false;
    std::size_t at = next;
    bool certain = true;
    const std::uint64_t shortfall = capacity_model_.tasks() - chosen_count.total();
    const std::uint64_t more = (shortfall + gain - 1) / gain;
    for (; at < order.size(); ++at) {
      if (rest_count.total() < capacity_model_.tasks() || at + more > order.size()) break;
      if (!scratch_.work.spend(15)) {
        certain = false;
        break;
      }
      const Index unit = order[at];
      const Cost was = chosen.cost;
      Cost least = was;
      least.add(sums[at + more]);
      least.add(sums[at], -1);
      if (best && least > best->cost) break;
      chosen.cost.add(scores_.cost(unit));
      chosen.units.push_back(unit);
      if (!breaks_cap(chosen.units)) {
        chosen_count.remove(unit);
        if (chosen_count.total() < capacity_model_.tasks()) {
          certain = self(self, at + 1) && certain;
        } else if (is_minimal()) {
          offer(chosen.units, best);
        }
        chosen_count.put_back(unit);
      }
      chosen.units.pop_back();
      chosen.cost = was;
      rest_count.put_back(unit);
    }
    for (std::size_t i = next; i < at; ++i) rest_count.remove(order[i]);
    return certain;
  };
  return chosen_count.total() >= capacity_model_.tasks() || descend(descend, 0);
}

bool SubproblemSolver::improve(std::uint64_t share, std::optional<CostedSet>& best) {
  const auto nothing_left_untried = [&] { return scratch_.work.left_open() == open_before_; };
  if (!is_enough() || (best && bound_ > best->cost)) return nothing_left_untried();
  {
    const WorkShare quarter(scratch_.work, share / 4);
    if (!shared_.empty()) start_greedily(best);
  }
  if (take_selected(best)) return nothing_left_untried();
  SpanningSolver::Answer spanning;
  {
    const WorkShare half(scratch_.work, share / 2);
    spanning = search_spanning(best);
  }
  if (spanning.bound && *spanning.bound > bound_) bound_ = *spanning.bound;
  if (spanning.proof == SpanningSolver::Proof::all) return nothing_left_untried();
  if (spanning.proof == SpanningSolver::Proof::shown) return false;
  if (!caps_.empty()) {
    const WorkShare quarter(scratch_.work, share / 4);
    if (search_nodes(best)) return nothing_left_untried();
  }
  bool certain = false;
  // If the best set costs no more than the bound, only what breaks ties is not proven; that is worth less.
  const bool only_ties = best && best->cost == bound_;
  if (!only_ties) {
    select();
    start_values(best);
  }
  {
    const WorkShare part(scratch_.work, only_ties ? share / 16 : share / 2);
    certain = search_units(best);
  }
  if (!certain && best) make_minimal(*best);
  return certain && nothing_left_untried();
}

void SubproblemSolver::make_minimal(CostedSet& set) {
  SubproblemCapacity count(capacity_model_, nodes_, scratch_.fixings, scratch_.work);
  std::vector<Index> units = count.units();
  std::sort(units.begin(), units.end());
  const auto here = [&](Index unit) { return std::binary_search(units.begin(), units.end(), unit); };
  // The set may belong to another subproblem.
  if (!std::all_of(set.units.begin(), set.units.end(), here)) return;
  for (const Index unit : set.units) count.remove(unit);
  if (count.total() < capacity_model_.tasks()) return;
  std::vector<Index> costliest = set.units;
  std::sort(costliest.begin(), costliest.end(), [&](Index a, Index b) { return scores_.compare(b, a) < 0; });
  set.units = given_back(count, costliest);
  set.cost = scores_.cost(set.units);
}

}  // namespace cede
