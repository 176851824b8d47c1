// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/work.h"
#include "search/victim_problem.h"
#include "search/victim_search.h"

namespace cede {

// Finds the best set of candidates whose gains add up to a shortfall, by dynamic programming. A class is all
// candidates of equal gain; a state is how much is still to be made up. Adding the same units to two sets
// does not change which one is better, so a best set takes the best units of a class, and without them it is
// a best set of another state.
//
// That holds for sums and counts, and for start times because only sets of equal size are compared by them.
// Where the objective has a criterion `highest`, all candidates must be equal in what it does to their sets.
class CoverSearch {
 public:
  using Index = CandidateScores::Index;

  // `gains`: by candidate, above 0. An elastic job may be a candidate as a whole beside its single tasks.
  CoverSearch(const CandidateScores& scores, std::span<const Total> gains, Total shortfall, Work& work)
      : scores_(scores), gains_(gains), shortfall_(shortfall), work_(work) {}

  struct Answer {
    std::vector<Index> units;
    bool ties_settled = true;  // false: among sets of equal cost this may not be the best
  };
  // nullopt if no set makes up the shortfall, or if finding one would take too much work.
  std::optional<Answer> run();

 private:
  // How many units of a class are taken, best first. One more than its units: the elastic job as a whole.
  using Count = std::uint32_t;
  struct Class {
    std::uint32_t step = 0;  // how many states the gain of one unit is
    std::vector<Index> units;
    std::vector<Cost> costs;  // by count
    std::optional<Index> whole;
    std::uint32_t whole_step = 0;
  };
  // What the best set of a state costs. Sets that do not make up everything come last.
  struct Value {
    std::uint32_t lacks = 0;
    Cost cost;
    auto operator<=>(const Value&) const = default;
    bool operator==(const Value&) const = default;
  };
  // The states of one class whose numbers differ by multiples of its step.
  struct Row {
    std::size_t at = 0;  // the class
    std::uint32_t offset = 0;
    std::uint32_t state(std::int64_t row, std::uint32_t step) const {
      return offset + static_cast<std::uint32_t>(row) * step;
    }
  };

  bool divide_into_classes();
  bool add_elastic(std::vector<Index> tasks, Index whole);
  std::uint32_t step_of(Index unit) const;
  void set_costs(Class& of) const;
  bool comes_first(CandidateScores::Set a, CandidateScores::Set b) const;
  void solve(std::size_t at);
  void solve_rows(const Row& rows, std::int64_t first, std::int64_t last, std::int64_t least_left,
                  std::int64_t most_left);
  void try_count(std::size_t at, std::uint32_t state, Count count);
  bool wins_tie(std::size_t at, std::uint32_t state, Count count);
  std::vector<Count> counts_of(std::size_t at, std::uint32_t state, Count count) const;
  void append(const Class& of, Count from, Count to, std::vector<Index>& out) const;
  static std::uint32_t left_of(const Class& of, std::uint32_t state, Count count);

  const CandidateScores& scores_;
  const std::span<const Total> gains_;
  const Total shortfall_;
  Work& work_;
  Total unit_ = 0;            // what one state stands for
  std::uint32_t states_ = 0;  // the number of the state in which everything is still lacking
  std::vector<Class> classes_;
  std::vector<std::vector<Count>> chosen_;  // by class, then state
  std::vector<Value> before_;               // by state, without the class
  std::vector<Value> now_;
  std::uint64_t ties_end_at_ = 0;  // of the work spent
  bool ties_settled_ = true;
};

// Solves the problem by one of the sums that its needs demand: if the best set that makes up this sum also
// meets the other needs and keeps the caps, no set is better. nullopt if that does not decide.
std::optional<SearchResult> search_covers(DecisionContext& context, const VictimProblem& problem,
                                          const std::vector<const Unit*>& candidates);

}  // namespace cede
