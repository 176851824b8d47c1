// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/work.h"
#include "search/division_bound.h"

namespace cede {

// Finds the best set where units are on several nodes: branch and bound over the units whose cost the bound
// charges only in part, and over the nodes that it uses only in part.
class SpanningSearch {
 public:
  using Index = CandidateScores::Index;
  using Unit = OfferTable::Unit;

  // What decides between sets of equal cost: groups of units, compared from the first one on. `take`: more
  // units of a group are better, else fewer are. All sets of equal cost have equally many units.
  struct TieOrder {
    std::vector<std::uint32_t> group;  // by unit
    bool take = true;
  };
  // The caller's part. Sets are given as candidates.
  struct Caller {
    // A set that may be the best. Returns the cost of the best set from then on; the caller may refuse a set.
    std::function<Total(std::vector<Index>)> found;
    // Whether no set with these units is allowed; null: every set is.
    std::function<bool(const std::vector<Index>&)> forbids;
    // Whether all sets without a unit are in the table, also those that only an allowed set would need.
    std::function<bool(Unit)> may_stay;
  };

  // `most`: what a set may cost at most. `known`: the caller has a set of that cost.
  SpanningSearch(const OfferTable& table, const PackedCosts& costs, DivisionBound& bound, Total most,
                 bool known, Work& work, Caller caller)
      : table_(table),
        costs_(costs),
        bound_(bound),
        most_(most),
        known_(known),
        work_(work),
        caller_(std::move(caller)) {}

  // Looks for sets that are better in the first so many parts of the cost. True if there are no more of them;
  // false if the work ended before.
  bool prove(std::size_t parts);
  // Looks for all sets of the least cost that do not lose the tie. `best`: the units of the best set so far.
  bool break_ties(const TieOrder& order, const std::function<std::vector<Unit>()>& best);
  // No set costs less.
  Total bound() const { return std::min(open_, most_); }

 private:
  bool is_pruned(Total bound) const;
  Total look(std::size_t rounds);
  bool drop_nodes();
  void offer();
  void search(std::size_t depth, Total above);
  void search_in_order(std::size_t depth, std::size_t next, Total above);
  bool loses_tie(std::uint32_t group) const;
  void leave_open(Total bound);
  bool may_go_on(std::size_t depth, Total above);
  template <class Deeper>
  void with(Unit unit, Fixing fixing, Deeper deeper);

  const OfferTable& table_;
  const PackedCosts& costs_;
  DivisionBound& bound_;
  Total most_;
  bool known_;
  Work& work_;
  const Caller caller_;
  std::size_t parts_ = 0;  // to be proven; 0: sets that are as good count, too
  bool complete_ = true;
  Total open_ = DivisionBound::kNoSet;  // the least bound of what was left open
  std::vector<Unit> order_;             // break_ties(): units by group
  const TieOrder* ties_ = nullptr;
  const std::function<std::vector<Unit>()>* best_ = nullptr;
};

}  // namespace cede
