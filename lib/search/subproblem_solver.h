// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/capacity_model.h"
#include "search/node_solver.h"
#include "search/spanning_solver.h"

namespace cede {

// Finds which units to remove so that one subproblem, whose nodes may all be used together, takes the whole
// request. For each node it computes steps: the cheapest units for one more task. The cheapest steps form a
// set, which is the best one if no unit is in two steps. A unit on several nodes is charged a part at each,
// so the sum stays a lower bound, and then SpanningSolver goes on. With `part_of` the parts are so small
// that they also bound subproblems of as many domains as that entry allows.
class SubproblemSolver {
 public:
  using Index = CandidateScores::Index;
  SubproblemSolver(const CapacityModel& capacity_model, const CapList& caps, SolverScratch& scratch,
                   std::vector<std::uint32_t> nodes, const DomainConstraint* part_of = nullptr);
  ~SubproblemSolver();
  SubproblemSolver(const SubproblemSolver&) = delete;
  SubproblemSolver& operator=(const SubproblemSolver&) = delete;

  // Whether the request fits with every candidate gone.
  bool is_enough() const { return most_ >= capacity_model_.tasks(); }
  // How many tasks the subproblem takes as it is, and a lower bound on the cost of each further task,
  // cheapest first.
  std::uint64_t takes() const;
  std::vector<Cost> step_costs() const;
  // A lower bound on the cost of every set. After improve(): of every set that was not tried.
  const Cost& bound() const { return bound_; }
  // Replaces `best` if the subproblem has a better set. False if `share` of the scratch's work ended before
  // that was certain.
  bool improve(std::uint64_t share, std::optional<CostedSet>& best);

 private:
  struct Step {
    Cost cost;
    std::vector<Index> units;
    std::vector<std::int64_t> tail;  // see CandidateScores::tail
    bool real = true;                // false: a bound only
    std::uint32_t node = 0;          // position in nodes_; only if not real
  };
  // The steps of one node cost more and more. Where the cheapest sets for one, two and more tasks are nested,
  // each step adds the units that the next set has more. Elsewhere the costs are those of the lower convex
  // hull, and the units of so many steps are those of the set.
  struct NodeSteps {
    std::uint32_t takes = 0;  // tasks, with no open unit removed
    std::vector<Step> steps;
    std::vector<CostedSet> sets;  // for one, two and more tasks; only if the steps are no sets
    bool forced = false;          // there are no other sets on the node than its steps
  };
  void find_shared(const DomainConstraint* part_of);
  NodeSteps steps_of(std::uint32_t node);
  void set_hull_steps(NodeSteps& node, std::vector<CostedSet> sets, const Cost* least);
  Cost select();
  bool take_selected(std::optional<CostedSet>& best);
  SpanningSolver::Answer search_spanning(std::optional<CostedSet>& best);
  void offer(const std::vector<Index>& units, std::optional<CostedSet>& best);
  bool breaks_cap(const std::vector<Index>& units) const;
  // nullopt if some selected step is a bound without a set.
  std::optional<std::vector<Index>> selected_units() const;
  void start_values(std::optional<CostedSet>& best);
  void start_greedily(std::optional<CostedSet>& best);
  std::vector<Index> given_back(SubproblemCapacity& count, std::vector<Index> gone) const;
  bool search_nodes(std::optional<CostedSet>& best);
  bool search_units(std::optional<CostedSet>& best);
  void make_minimal(CostedSet& set);
  const CapacityModel& capacity_model_;
  const CandidateScores& scores_;
  const CapList& caps_;
  SolverScratch& scratch_;
  const std::vector<std::uint32_t> nodes_;
  NodeSolver subset_;
  std::vector<Index> shared_;  // units on several of the nodes
  std::vector<NodeSteps> by_node_;
  std::vector<const Step*> selected_;
  std::uint64_t most_ = 0;
  Cost bound_;
  bool cap_broken_ = false;
  std::uint64_t open_before_ = 0;  // what earlier users of the scratch left untried
};

}  // namespace cede
