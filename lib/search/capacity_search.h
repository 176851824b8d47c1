// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/worker_pool.h"
#include "search/subproblem_solver.h"
#include "search/victim_search.h"

namespace cede {

// The inputs of a search for victims.
struct SearchProblem {
  const RuleContext& rule_context;
  const Placer& placer;
  const GroupIndex& group_index;
  Space& space;  // restored after the search
  const Needs& needs;
  const Objective& objective;
  const CapList& caps;
  SearchLimits limits;
  WorkerPool* workers = nullptr;
};

// The share of the work for one node out of `nodes`: for its steps in a subproblem of many nodes, and for its
// best set if the node is a subproblem of its own. It depends on nothing else, so a cached result equals a
// recomputed one.
std::uint64_t work_per_node(const SearchLimits& limits, std::size_t nodes);
std::uint64_t work_per_single_node(const SearchLimits& limits, std::size_t nodes);

// Larger sets of victims are reported without the names and nodes that only break ties.
inline constexpr std::size_t kNamed = 1000;

// The set with the placement it makes room for; nullopt if there is no placement. `named`: with names and
// nodes that only break ties.
std::optional<VictimSet> found_set(const SearchProblem& problem, std::vector<const Unit*> victims,
                                   NodeList nodes, bool named);

// Finds the best set of victims for a request that the capacity model covers: bounds the cost of each
// subproblem, then solves subproblems in the order of their bounds until none can hold a better set.
// Subproblems are solved in waves of fixed size; those of one wave run in parallel against the best set known
// before the wave.
class CapacitySearch {
 public:
  CapacitySearch(const SearchProblem& problem, std::span<const Unit* const> candidates);

  // nullopt if the capacity model alone does not lead to an answer.
  std::optional<SearchResult> run();

 private:
  using Index = CandidateScores::Index;
  using Nodes = std::vector<std::uint32_t>;
  // A set and the nodes it makes room on.
  struct Solution {
    std::optional<CostedSet> set;
    Nodes nodes;
  };
  class ScratchLease;
  static constexpr std::size_t kSubproblemsAtOnce = 8;  // one wave

  void allow_up_to(std::int64_t highest);
  std::vector<std::int64_t> highest_values(const std::vector<Nodes>& regions);
  void search(const std::vector<Nodes>& all);
  // `looked_at`: counts the nodes looked at.
  bool is_enough(const std::vector<Nodes>& regions, std::uint64_t* looked_at = nullptr);
  std::vector<Nodes> regions() const;
  std::vector<Nodes> domains_of(const Nodes& region, std::uint32_t level) const;
  const DomainConstraint* several() const;
  void search_nodes(const Nodes& nodes);
  void search_subproblems(const std::vector<Nodes>& subproblems);
  void search_combinations(const Nodes& region, const DomainConstraint& need);
  void keep(Solution solution);
  void leave_open(const Cost& bound);
  void gather(const Work& part, bool certain, const Cost& bound);
  std::uint64_t proof_left() const;
  std::optional<VictimSet> found(const CostedSet& set, const Nodes& nodes);
  bool finish();

  const SearchProblem& problem_;
  Work& work_;  // of the query
  const std::uint64_t begun_;
  const CandidateScores scores_;
  const CapacityModel capacity_model_;
  WorkerPool* const workers_;
  const bool elastic_;  // some elastic job is also a candidate as a whole
  Fixings start_;
  std::mutex scratches_mutex_;
  std::vector<std::unique_ptr<SolverScratch>> scratches_;
  Solution best_;
  std::vector<Solution> alternatives_;
  std::vector<Solution> ties_;
  bool too_many_ties_ = false;
  std::optional<Cost> lowest_open_bound_;  // a lower bound on the cost of every set that was not tried
  SearchResult answer_;
};

// A SolverScratch borrowed for one piece of work, with a work budget of its own.
class CapacitySearch::ScratchLease {
 public:
  ScratchLease(CapacitySearch& search, std::uint64_t limit) : search_(search) {
    {
      const std::lock_guard lock(search.scratches_mutex_);
      if (!search.scratches_.empty()) {
        scratch_ = std::move(search.scratches_.back());
        search.scratches_.pop_back();
      }
    }
    if (!scratch_)
      scratch_ = std::make_unique<SolverScratch>(
          search.capacity_model_, search.start_,
          work_per_node(search.problem_.limits, search.capacity_model_.nodes()));
    scratch_->work = Work(limit);
  }
  ~ScratchLease() {
    scratch_->trial.leave();
    const std::lock_guard lock(search_.scratches_mutex_);
    search_.scratches_.push_back(std::move(scratch_));
  }
  ScratchLease(const ScratchLease&) = delete;
  ScratchLease& operator=(const ScratchLease&) = delete;
  SolverScratch& operator*() { return *scratch_; }
  SolverScratch* operator->() { return scratch_.get(); }

 private:
  CapacitySearch& search_;
  std::unique_ptr<SolverScratch> scratch_;
};

}  // namespace cede
