// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policy/rule.h"
#include "search/capacity_model.h"

namespace cede {

// A set of candidates and its cost.
struct CostedSet {
  Cost cost;
  std::vector<CandidateScores::Index> units;
};

// The caps that some set can break.
using CapList = std::vector<const Cap*>;
bool breaks_any(const CapList& caps, std::span<const Unit* const> units, Work& work);

// Finds which units of one node to remove so that it takes some number of tasks. Enumerates the subsets in
// the order of the objective and prunes those that cannot improve. A unit is skipped if another one that
// frees as much and costs no more was left out.
class NodeSolver {
 public:
  using Index = CandidateScores::Index;
  // `shares`: by candidate, the number of nodes that share its cost; null: costs are not shared. `all_ties`:
  // also visit sets that differ only in names.
  NodeSolver(const CandidateScores& scores, CapList caps, const std::vector<std::uint32_t>* shares,
             bool all_ties = false)
      : scores_(scores), caps_(std::move(caps)), shares_(shares), all_ties_(all_ties) {}

  // Sorts the node's units into the order in which they are tried.
  void arrange(NodeTrial& trial);
  // Replaces `best`, which may be empty, by a better set on the arranged node. Calls tie(set) for every set
  // that documents show as equal to the best so far. False if the share of the trial's work ended before all
  // sets were tried.
  template <class Tie>
  bool improve(NodeTrial& trial, std::uint32_t tasks, std::uint64_t share, std::optional<CostedSet>& best,
               Tie tie) {
    trial_ = &trial;
    tasks_ = tasks;
    const WorkShare limit(trial.work(), share);
    const std::uint64_t before = trial.work().left_open();
    cut_ = false;
    chosen_ = {};
    excluded_.clear();
    const auto found = [&] {
      if (best) {
        if (chosen_.cost != best->cost) {
          if (chosen_.cost > best->cost) return;
        } else {
          const auto order = scores_.compare(chosen_.units, best->units);
          if (scores_.compare_shown(chosen_.units, best->units) == 0) tie(chosen_.units);
          if (order >= 0) return;
        }
      }
      best = chosen_;
    };
    if (trial.takes(tasks)) {
      found();
    } else {
      descend(0, best, found);
    }
    return !cut_ && trial.work().left_open() == before;
  }

  // Finds a set without a search: takes the cheapest units until there is room, then gives back those that
  // are not needed, costliest first.
  void start(NodeTrial& trial, std::uint32_t tasks, std::optional<CostedSet>& best);

  Cost charge(Index unit) const {
    const Cost whole = scores_.cost(unit);
    return shares_ && (*shares_)[unit] > 1 ? whole.shared_by((*shares_)[unit]) : whole;
  }

 private:
  bool breaks_cap() const;
  bool is_dominated(std::size_t at) const;

  template <class Found>
  void descend(std::size_t next, const std::optional<CostedSet>& best, const Found& found) {
    const std::size_t before = excluded_.size();
    for (std::size_t at = next; at < trial_->size(); ++at) {
      if (!trial_->work().spend(kStepWork) || chosen_.units.size() > kDeepest) cut_ = true;
      if (cut_ || !trial_->takes_without_rest(at, tasks_)) break;
      if (is_dominated(at)) continue;
      const Cost was = chosen_.cost;
      chosen_.cost.add(charges_[at]);
      // The following units cost no less, so none of them does better here.
      if (best && chosen_.cost > best->cost) {
        chosen_.cost = was;
        break;
      }
      chosen_.units.push_back(trial_->unit(at));
      if (!breaks_cap()) {
        trial_->remove(at);
        if (trial_->takes(tasks_)) {
          found();
        } else {
          descend(at + 1, best, found);
        }
        trial_->put_back(at);
      }
      chosen_.units.pop_back();
      chosen_.cost = was;
      excluded_.push_back(at);
    }
    excluded_.resize(before);
  }

  const CandidateScores& scores_;
  const CapList caps_;
  const std::vector<std::uint32_t>* shares_;
  const bool all_ties_;
  NodeTrial* trial_ = nullptr;
  static constexpr std::uint64_t kStepWork = 3;
  std::uint32_t tasks_ = 0;
  bool cut_ = false;
  std::vector<Cost> charges_;  // by position
  std::vector<Cost> unordered_;
  std::vector<std::uint32_t> order_;
  CostedSet chosen_;
  std::vector<std::size_t> excluded_;
};

}  // namespace cede
