// SPDX-License-Identifier: MIT
#include "search/node_solver.h"

#include <algorithm>
#include <numeric>

namespace cede {

bool breaks_any(const CapList& caps, std::span<const Unit* const> units, Work& work) {
  return std::any_of(caps.begin(), caps.end(), [&](const Cap* cap) {
    work.spend(cap->work(units));
    return cap->breaks(units, nullptr);
  });
}

void NodeSolver::arrange(NodeTrial& trial) {
  trial.work().spend(3 + 8 * trial.size());
  unordered_.clear();
  for (std::size_t i = 0; i < trial.size(); ++i) unordered_.push_back(charge(trial.unit(i)));
  order_.resize(trial.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (unordered_[a] != unordered_[b]) return unordered_[a] < unordered_[b];
    return scores_.compare(trial.unit(a), trial.unit(b)) < 0;
  });
  trial.arrange(order_);
  charges_.clear();
  for (const std::uint32_t at : order_) charges_.push_back(unordered_[at]);
}

void NodeSolver::start(NodeTrial& trial, std::uint32_t tasks, std::optional<CostedSet>& best) {
  trial_ = &trial;
  std::vector<std::size_t> gone;
  for (std::size_t at = 0; at < trial.size() && !trial.takes(tasks); ++at) {
    trial.remove(at);
    gone.push_back(at);
  }
  const bool enough = trial.takes(tasks);
  chosen_ = {};
  for (std::size_t i = gone.size(); i-- > 0;) {
    trial.put_back(gone[i]);
    if (trial.takes(tasks)) {
      gone.erase(gone.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      trial.remove(gone[i]);
    }
  }
  for (const std::size_t at : gone) {
    trial.put_back(at);
    chosen_.units.push_back(trial.unit(at));
    chosen_.cost.add(charges_[at]);
  }
  if (!enough || breaks_cap()) return;
  if (best && (chosen_.cost > best->cost ||
               (chosen_.cost == best->cost && scores_.compare(chosen_.units, best->units) >= 0)))
    return;
  best = chosen_;
}

bool NodeSolver::breaks_cap() const {
  if (caps_.empty()) return false;
  std::vector<const Unit*> units;
  for (const Index index : chosen_.units) units.push_back(&scores_.unit(index));
  return breaks_any(caps_, units, trial_->work());
}

bool NodeSolver::is_dominated(std::size_t at) const {
  if (!caps_.empty() || all_ties_) return false;
  trial_->work().spend(excluded_.size() / 4);
  return std::any_of(excluded_.begin(), excluded_.end(),
                     [&](std::size_t earlier) { return trial_->frees_as_much(earlier, at); });
}

}  // namespace cede
