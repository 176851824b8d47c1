// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "search/cap_usage.h"
#include "search/node_solver.h"

namespace cede {

// Chooses nodes for a request of several tasks where caps forbid the cheapest ones together. A node offers
// its steps, of which the first so many can be taken. Depth-first, cheapest node first; a choice is dropped
// if it exceeds a linear limit of a cap or cannot cost less than the best set.
class CappedNodeSearch {
 public:
  using Index = CandidateScores::Index;

  // What a node offers for so many more tasks.
  struct Offer {
    Cost cost;  // of this step: no more than its units cost
    std::vector<Index> units;
  };
  using Node = std::vector<Offer>;  // steps of rising cost

  CappedNodeSearch(const CandidateScores& scores, const CapList& caps, std::vector<Node> nodes, Work& work);

  // Calls found(units) for every choice that makes room for so many more tasks. `most` says what a set may
  // cost at most; null: anything. False if the work ended before all choices were tried.
  bool run(std::uint64_t tasks, const std::function<const Cost*()>& most,
           const std::function<void(const std::vector<Index>&)>& found);

 private:
  bool descend(std::size_t next, std::uint64_t tasks, const Cost& cost);
  bool add(const std::vector<Index>& units);
  void remove(const std::vector<Index>& units);

  Work& work_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> steps_from_;  // by node: how many steps it and the later ones offer
  const CapLimits limits_;
  CapUsage usage_;
  std::vector<std::uint32_t> times_;  // by unit: how many chosen steps contain it
  std::vector<Index> chosen_;
  const std::function<const Cost*()>* most_ = nullptr;
  const std::function<void(const std::vector<Index>&)>* found_ = nullptr;
};

}  // namespace cede
