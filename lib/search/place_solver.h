// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/capacity_model.h"
#include "search/node_solver.h"

namespace cede {

// What a search uses over and over; one for each thread.
struct SolverScratch {
  SolverScratch(const CapacityModel& capacity_model, const Fixings& start, std::uint64_t node_share_)
      : trial(capacity_model, work),
        fixings(start),
        shares(capacity_model.scores().size(), 0),
        node_share(node_share_) {}
  SolverScratch(const SolverScratch&) = delete;
  SolverScratch& operator=(const SolverScratch&) = delete;
  Work work;  // of what is done with it at the moment
  NodeTrial trial;
  Fixings fixings;                    // left as they were
  std::vector<std::uint32_t> shares;  // likewise: all zero
  const std::uint64_t node_share;     // work to find the cheapest units of one node
};

// One place, all of whose nodes may be used together: which units to remove so that its nodes take the whole
// request. Node by node the cheapest units for one task more are worked out; the cheapest of these steps are
// a set and, where no unit is part of two of them, the best one. Units on several nodes of the place are
// charged a part at each, which bounds the cost from below, and are decided one by one. With `part_of` that
// part is so small that it also bounds places made of as many domains as that entry allows.
class PlaceSolver {
 public:
  using Index = CandidateScores::Index;
  PlaceSolver(const CapacityModel& capacity_model, const CapList& caps, SolverScratch& scratch,
              std::vector<std::uint32_t> nodes, const DomainConstraint* part_of = nullptr);
  ~PlaceSolver();
  PlaceSolver(const PlaceSolver&) = delete;
  PlaceSolver& operator=(const PlaceSolver&) = delete;

  // Whether the request fits with every candidate gone.
  bool is_enough() const { return most_ >= capacity_model_.tasks(); }
  // How many tasks it takes as it is, and what each further one costs at least, cheapest first.
  std::uint64_t takes() const;
  std::vector<Cost> step_costs() const;
  // No set costs less.
  const Cost& bound() const { return bound_; }
  // The best set, if it beats `best`; false where `share` of the bench's work ended before that was certain.
  bool improve(std::uint64_t share, std::optional<CostedSet>& best);

 private:
  struct Step {
    Cost cost;
    std::vector<Index> units;
    std::vector<std::int64_t> tail;  // see CandidateScores::tail
    bool real = true;                // false: a bound only
  };
  struct NodeSteps {
    std::uint32_t takes = 0;  // with nobody else gone
    std::vector<Step> steps;
  };
  void find_shared(const DomainConstraint* part_of);
  NodeSteps steps_of(std::uint32_t node);
  Cost select();
  bool branch(std::optional<CostedSet>& best, std::size_t depth);
  void decide(Index unit, Fixing fixing);
  void offer(const std::vector<Index>& units, std::optional<CostedSet>& best);
  bool breaks_cap(const std::vector<Index>& units) const;
  std::vector<Index> selected_units() const;
  void start_values(std::optional<CostedSet>& best);
  std::vector<Index> given_back(PlaceCapacity& count, std::vector<Index> gone) const;
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
  std::vector<Index> gone_;  // decided
  Cost gone_cost_;
  std::uint64_t most_ = 0;
  Cost bound_;
  bool cap_broken_ = false;
  std::uint64_t open_before_ = 0;  // what others left untried with the bench
};

}  // namespace cede
