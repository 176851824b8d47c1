// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/node_solver.h"
#include "search/offer_table.h"
#include "search/solver_scratch.h"
#include "search/spanning_search.h"

namespace cede {

// One subproblem as an OfferTable: lists what its nodes offer, and runs a SpanningSearch.
class SpanningSolver {
 public:
  using Index = CandidateScores::Index;

  SpanningSolver(const CapacityModel& capacity_model, const CapList& caps, SolverScratch& scratch)
      : capacity_model_(capacity_model),
        scores_(capacity_model.scores()),
        caps_(caps),
        scratch_(scratch),
        solver_(scores_, CapList{}, nullptr) {}

  enum class Proof : std::uint8_t { none, shown, all };
  struct Answer {
    // `shown`: no set is better up to the number of victims; `all`: no set is better.
    Proof proof = Proof::none;
    std::optional<Cost> bound;  // of all sets; none: the search could not be run
  };
  // Looks for a better set than `best`, which may be empty, that makes room for so many tasks on the nodes
  // beside those that they take already.
  Answer run(std::span<const std::uint32_t> nodes, std::uint64_t tasks, std::optional<CostedSet>& best);

 private:
  bool list(std::uint32_t node);
  bool list_without(std::uint32_t node, std::span<const Index> shared, std::uint32_t takes);
  bool add_offer(std::uint32_t tasks, const std::vector<Index>& units);
  bool breaks_cap(const std::vector<Index>& units);
  bool offer(std::vector<Index> units, std::optional<CostedSet>& best);
  Answer search(std::uint64_t tasks, std::optional<CostedSet>& best);

  const CapacityModel& capacity_model_;
  const CandidateScores& scores_;
  const CapList& caps_;
  SolverScratch& scratch_;
  NodeSolver solver_;
  OfferTable table_;
  bool refused_ = false;  // a cap forbade a set
  // Of the node whose offers are listed.
  std::vector<OfferTable::Offer> offers_;
  std::vector<Index> units_;
  bool all_listed_ = true;           // no other sets make room for as many tasks
  std::vector<Index> chosen_among_;  // units on nodes where not all is listed
};

}  // namespace cede
