// SPDX-License-Identifier: MIT
#include "search/greedy_set.h"

#include <algorithm>

namespace cede {

GreedySet::GreedySet(const CapacityModel& capacity_model, const CapList& caps, SolverScratch& scratch,
                     std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> promising,
                     std::vector<Index> shared)
    : capacity_model_(capacity_model),
      scores_(capacity_model.scores()),
      caps_(caps),
      scratch_(scratch),
      nodes_(nodes),
      promising_(promising),
      shared_(std::move(shared)),
      solver_(scores_, CapList{}, nullptr) {}

GreedySet::~GreedySet() {
  for (const Index unit : gone_) scratch_.fixings[unit] = Fixing::open;
  for (const Index unit : barred_) scratch_.fixings[unit] = Fixing::open;
}

std::uint32_t GreedySet::takes_of(std::uint32_t node) {
  const auto [at, added] = takes_.try_emplace(node, 0);
  if (!added) return at->second;
  scratch_.trial.load(node, scratch_.fixings);
  scratch_.work.spend(10 + 5 * scratch_.trial.size());
  return at->second = scratch_.trial.capacity();
}

// Works out what the node takes, and which units make room for one more task.
void GreedySet::count_node(std::uint32_t node) {
  NodeTrial& trial = scratch_.trial;
  trial.load(node, scratch_.fixings);
  const std::uint32_t takes = trial.capacity();
  takes_[node] = takes;
  next_.erase(node);
  scratch_.work.spend(20 + 10 * trial.size());
  if (takes >= capacity_model_.most_per_node() || trial.size() == 0) return;
  solver_.arrange(trial);
  if (!trial.takes_without_rest(0, takes + 1)) return;
  std::optional<CostedSet> set;
  solver_.start(trial, takes + 1, set);
  if (set) next_[node] = std::move(*set);
}

// Works out how many more tasks fit once the unit alone is gone.
void GreedySet::count_unit(Index unit) {
  std::vector<std::uint32_t> on;
  capacity_model_.nodes_of(unit, on);
  std::uint64_t gain = 0;
  for (const std::uint32_t node : on) {
    if (!std::binary_search(nodes_.begin(), nodes_.end(), node)) continue;
    const std::uint32_t takes = takes_of(node);
    scratch_.fixings[unit] = Fixing::gone;
    scratch_.trial.load(node, scratch_.fixings);
    scratch_.fixings[unit] = Fixing::open;
    scratch_.work.spend(10 + 5 * scratch_.trial.size());
    gain += scratch_.trial.capacity() - takes;
  }
  if (gain > 0) {
    gains_[unit] = gain;
  } else {
    gains_.erase(unit);
  }
}

std::optional<GreedySet::Choice> GreedySet::best_choice(std::uint64_t shortfall) const {
  std::optional<Choice> best;
  const auto is_better = [&](const Cost& ratio, CandidateScores::Set units, std::uint64_t gain) {
    if (!best) return true;
    if (ratio != best->ratio) return ratio < best->ratio;
    if (gain != best->gain) return gain > best->gain;
    return scores_.compare(units, best->units) < 0;
  };
  for (const auto& [unit, gain] : gains_) {
    const std::uint64_t tasks = std::min(gain, shortfall);
    const Cost ratio = scores_.cost(unit).shared_by(static_cast<Total>(tasks));
    if (is_better(ratio, {&unit, 1}, tasks)) best = Choice{ratio, tasks, {unit}};
  }
  for (const auto& [node, set] : next_) {
    if (is_better(set.cost, set.units, 1)) best = Choice{set.cost, 1, set.units};
  }
  scratch_.work.spend(4 * (gains_.size() + next_.size()));
  return best;
}

bool GreedySet::keeps_caps(const std::vector<Index>& more) const {
  if (caps_.empty()) return true;
  std::vector<const Unit*> units;
  for (const Index unit : gone_) units.push_back(&scores_.unit(unit));
  for (const Index unit : more) units.push_back(&scores_.unit(unit));
  return !breaks_any(caps_, units, scratch_.work);
}

// Removes the units and counts anew on all nodes where one of them was.
void GreedySet::take(const std::vector<Index>& units) {
  std::vector<std::uint32_t> touched;
  std::vector<std::uint32_t> on;
  for (const Index unit : units) {
    capacity_model_.nodes_of(unit, on);
    touched.insert(touched.end(), on.begin(), on.end());
    gains_.erase(unit);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  std::vector<Index> others;
  for (const std::uint32_t node : touched) {
    if (!std::binary_search(nodes_.begin(), nodes_.end(), node)) continue;
    count_node(node);
    list_units(node, others);
  }
  count_units(std::move(others));
}

void GreedySet::list_units(std::uint32_t node, std::vector<Index>& out) const {
  for (const Occupant& occupant : capacity_model_.occupants(node)) {
    const Index unit = capacity_model_.candidate(*occupant.unit);
    if (unit != CapacityModel::kNoCandidate && scratch_.fixings[unit] == Fixing::open) out.push_back(unit);
  }
}

void GreedySet::count_units(std::vector<Index> units) {
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  for (const Index unit : units) count_unit(unit);
}

std::optional<std::vector<GreedySet::Index>> GreedySet::run(std::uint64_t takes) {
  std::vector<Index> units = std::move(shared_);
  std::erase_if(units, [&](Index unit) { return scratch_.fixings[unit] != Fixing::open; });
  for (const std::uint32_t node : promising_) {
    count_node(node);
    list_units(node, units);
  }
  count_units(std::move(units));
  while (takes < capacity_model_.tasks()) {
    std::optional<Choice> next = best_choice(capacity_model_.tasks() - takes);
    if (!next || scratch_.work.ended()) return std::nullopt;
    const bool allowed = keeps_caps(next->units);
    for (const Index unit : next->units) {
      scratch_.fixings[unit] = allowed ? Fixing::gone : Fixing::stays;
      (allowed ? gone_ : barred_).push_back(unit);
    }
    take(next->units);
    if (allowed) takes += next->gain;
  }
  return gone_;
}

}  // namespace cede
