// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/node_bounds.h"

namespace cede {

// The criteria that lead every objective with a price. Sums are compared from the front.
struct LeadingCost {
  Total last_resort = 0;
  Total price = 0;
  void add(const LeadingCost& other) {
    last_resort += other.last_resort;
    price += other.price;
  }
  auto operator<=>(const LeadingCost&) const = default;
};

inline LeadingCost lead_of(const Cost& cost) { return {cost.parts[0], cost.parts[1]}; }

// For each domain of a level: lower bounds on the cost of room for one more task after the other, for one
// kind of request. Prices only rise with time, so old bounds stay valid until something changes; they are
// recomputed when they have become too weak.
class DomainCache {
 public:
  struct Domain {
    std::uint32_t number = 0;
    std::vector<std::uint32_t> nodes;  // ascending
    std::uint64_t takes = 0;           // tasks, with no unit gone
    std::vector<LeadingCost> steps;    // for each further task; the cheapest first
    std::uint64_t most() const { return takes + steps.size(); }
  };
  explicit DomainCache(const GroupIndex& group_index) : group_index_(group_index), watch_(group_index) {}

  // Brings the cache up to the state of the group index.
  void follow(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
              const DomainConstraint& need);
  // By number, without empty domains.
  const std::vector<Domain>& domains() const { return domains_; }
  // Makes the next follow() recompute the bounds, unless they are of this moment.
  void weaken(Time now) { weak_ = since_ < now; }
  // Scratch for NodeCandidates, one per thread.
  std::vector<CandidateScores::Index>& book(std::size_t i) { return books_[i]; }
  static constexpr std::size_t kBooks = 8;

 private:
  static constexpr std::uint32_t kNoCandidate = 0xFFFF'FFFF;
  struct NodeSteps {
    std::uint32_t takes = 0;
    std::vector<LeadingCost> steps;
  };
  bool group_nodes(std::uint32_t level);
  void look_at(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
               const std::vector<std::uint32_t>& nodes, const DomainConstraint& need);
  void gather(Domain& domain) const;

  const GroupIndex& group_index_;
  NodeChangeTracker watch_;
  std::vector<NodeSteps> by_node_;
  std::vector<std::uint32_t> domain_of_;  // by node: position in domains_
  std::vector<Domain> domains_;
  std::vector<std::vector<CandidateScores::Index>> books_{kBooks};
  bool weak_ = false;
  Time since_ = kNoTime;
};

// Finds the best set of victims for a gang in a few domains out of many. A cache tells which combinations of
// domains to solve; each is solved on its own, so neither their order nor the contents of the cache change
// the answer.
class DomainSearch {
 public:
  // The objective must lead with a price. The caller checks the caps.
  DomainSearch(const SearchProblem& problem, const NodeCandidates::Eligible& eligible, DomainCache& cache,
               const DomainConstraint& need);

  // nullopt if there is no set, or if too many combinations would have to be solved.
  std::optional<SearchResult> run();

 private:
  using Row = std::vector<LeadingCost>;  // by number of tasks, as far as there is room
  struct Known {
    const DomainCache::Domain* domain = nullptr;
    Row row;
    LeadingCost least;  // for every combination with this domain
  };
  struct Combination {
    LeadingCost bound;
    std::vector<std::uint32_t> domains;  // positions in known_
    auto operator<=>(const Combination&) const = default;
  };
  struct Solution {
    LeadingCost bound;  // no set of the combination costs less
    bool certain = true;
    std::vector<std::int64_t> numbers;  // see CandidateScores::numbers; empty: no set
    std::vector<const Unit*> units;
    std::vector<std::uint32_t> nodes;
    std::uint64_t work = 0;
    LeadingCost lead() const { return {numbers[0], numbers[1]}; }
  };

  Row row_of(const DomainCache::Domain& domain) const;
  std::vector<Row> least_rows() const;
  std::optional<LeadingCost> joined(const Row& a, const Row& b) const;
  Row joined_row(const Row& a, const Row& b) const;
  bool bound_domains();
  bool list_combinations(std::size_t among, const std::optional<LeadingCost>& most,
                         std::vector<Combination>& out) const;
  void solve_all(std::vector<Combination> list);
  Solution solve(const Combination& combination, const std::optional<LeadingCost>& most,
                 std::vector<CandidateScores::Index>& book) const;
  bool is_better(const Solution& a, const Solution& b) const;
  void keep(Solution solution);
  std::optional<SearchResult> answer();

  const SearchProblem& problem_;
  const NodeCandidates::Eligible& eligible_;
  DomainCache& cache_;
  const std::uint32_t tasks_;
  const std::uint32_t most_domains_;
  std::vector<Known> known_;
  std::vector<std::vector<std::uint32_t>> done_;  // combinations solved; sorted
  std::optional<Solution> best_;
  std::vector<Solution> alternatives_;
  std::vector<LeadingCost> open_bounds_;  // lower bounds on the cost of sets that were not tried
  std::size_t looked_at_ = 0;
};

}  // namespace cede
