// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/subproblem_solver.h"

namespace cede {

// A first answer for a request of several tasks: takes, again and again, what costs least per task that then
// fits. That is one unit with all the nodes it leaves, or the units that make room for one more task on a
// node.
class GreedySet {
 public:
  using Index = CandidateScores::Index;

  // `nodes`: of the subproblem, ascending. Tries the units on the `promising` ones, and those `shared` by
  // several nodes.
  GreedySet(const CapacityModel& capacity_model, const CapList& caps, SolverScratch& scratch,
            std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> promising,
            std::vector<Index> shared);
  ~GreedySet();
  GreedySet(const GreedySet&) = delete;
  GreedySet& operator=(const GreedySet&) = delete;

  // `takes`: how many tasks the nodes take already. nullopt if no set was found. A set may contain units that
  // are not needed.
  std::optional<std::vector<Index>> run(std::uint64_t takes);

 private:
  // What to take next, and what it costs per task.
  struct Choice {
    Cost ratio;
    std::uint64_t gain = 0;
    std::vector<Index> units;
  };
  std::uint32_t takes_of(std::uint32_t node);
  void count_node(std::uint32_t node);
  void list_units(std::uint32_t node, std::vector<Index>& out) const;
  void count_units(std::vector<Index> units);
  void count_unit(Index unit);
  std::optional<Choice> best_choice(std::uint64_t shortfall) const;
  bool keeps_caps(const std::vector<Index>& more) const;
  void take(const std::vector<Index>& units);

  const CapacityModel& capacity_model_;
  const CandidateScores& scores_;
  const CapList& caps_;
  SolverScratch& scratch_;
  const std::span<const std::uint32_t> nodes_;
  const std::span<const std::uint32_t> promising_;
  std::vector<Index> shared_;
  NodeSolver solver_;
  std::unordered_map<std::uint32_t, std::uint32_t> takes_;  // by node, once counted
  std::unordered_map<std::uint32_t, CostedSet> next_;       // by node: for one more task
  std::unordered_map<Index, std::uint64_t> gains_;          // by unit that gains anything alone
  std::vector<Index> gone_;
  std::vector<Index> barred_;  // by a cap
};

}  // namespace cede
