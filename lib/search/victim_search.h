// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/needs.h"
#include "search/objective.h"

namespace cede {

struct SearchLimits {
  std::int64_t exact_units = 20;
  std::uint64_t proof = 10'000'000;  // work for proving that no set is better
};

// Sets reported beside the best one.
inline constexpr std::size_t kAlternatives = 5;

struct VictimSet {
  std::vector<const Unit*> victims;
  Placement placement;
  ObjectiveValue objective_value;
  std::int64_t figure = 0;     // what the set takes of the cap that was left out
  bool in_name_order = false;  // whether victims are in the order of by_name()
};

struct SearchResult {
  std::optional<VictimSet> best;
  std::vector<VictimSet> others;   // at most kAlternatives other sets that meet the needs, best first
  bool proven = false;             // if there is a set: none is better; if not: there is none
  bool needs_met = false;          // with all candidates gone the request would fit
  std::size_t proven_entries = 0;  // if not proven: how many leading criteria are optimal
  bool placement_proven = true;    // the placement criteria are optimal
  std::optional<std::int64_t> price_bound;  // if not proven: no set has a lower price
  // If not proven: of the first criterion that is not, for sets that equal the best one in those before it.
  std::optional<Criterion> gap_bound;
  std::uint64_t work = 0;  // of search and proof
};

// One of the alternatives into which a search is split: where to place the request, and which units can make
// room there.
struct Subproblem {
  std::vector<std::uint32_t> nodes;  // empty: all nodes
  std::vector<const Unit*> units;
};

// Finds the best set among the candidates of each subproblem: a first answer by removing all and putting
// back, then all subsets in the order of the objective, pruned where they cannot improve. Exact while the
// work lasts: a subproblem with at most `exact_units` candidates may use all of it, others get equal shares.
// The space is restored.
class VictimSearch {
 public:
  // A set must keep all `caps`, except the one with index `without_cap`. Leaving a cap out tells whether it
  // alone is in the way; the search then looks for the set that exceeds it least.
  VictimSearch(Space& space, const Needs& needs, const Objective& objective, const RuleList<Cap>& caps,
               const SearchLimits& limits, std::size_t without_cap = SIZE_MAX)
      : space_(space),
        needs_(needs),
        objective_(objective),
        caps_(caps),
        limits_(limits),
        without_cap_(without_cap),
        work_(space.work()) {}

  SearchResult run(std::span<const Subproblem> subproblems);

 private:
  bool meets_needs();
  void remove(const Unit& unit);
  void put_back(const Unit& unit);
  // Removes every task of the units that is still there, each once, because the single tasks of an elastic
  // job are part of the whole. Returns the removed tasks.
  std::vector<TaskId> remove_all(std::span<const Unit* const> units);
  void put_back_all(const std::vector<TaskId>& tasks);
  bool may_add(const Unit& unit) const;
  bool breaks_cap() const;
  std::int64_t figure() const { return without_cap_ == SIZE_MAX ? 0 : caps_[without_cap_].figure(chosen_); }
  bool part_is_enough(const Unit& whole);
  bool is_minimal();
  // Compares the chosen set with the best one. `minimal`: known to be minimal. False if it breaks a cap.
  bool offer(bool minimal = false);
  bool cannot_improve();
  void enumerate(std::size_t next);
  void first_answers();
  std::vector<const Unit*> within_caps();
  bool give_back(const std::vector<const Unit*>& list);
  void prove(std::uint64_t share);
  void order_by_objective();
  // Whether the work has ended. If so, marks the search as incomplete.
  bool exhausted();

  Space& space_;
  const Needs& needs_;
  const Objective& objective_;
  const RuleList<Cap>& caps_;
  const SearchLimits& limits_;
  const std::size_t without_cap_;
  SearchResult answer_;
  const Subproblem* subproblem_ = nullptr;
  std::vector<const Unit*> order_;  // the subproblem's units, by objective value
  std::vector<const Unit*> chosen_;
  Work& work_;
  bool any_whole_ = false;  // an elastic job of the subproblem is also a candidate as a whole
  std::uint64_t untried_for_placement_ = 0;  // what was left untried only for the placement
};

}  // namespace cede
