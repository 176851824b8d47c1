// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/domain_cache.h"

namespace cede {

// Finds the best set of victims for a gang in a few domains out of many. A cache tells which combinations of
// domains to solve; each is solved on its own, so neither their order nor the contents of the cache change
// the answer.
class DomainSearch {
 public:
  // The objective must lead with a price. The caller checks the caps.
  DomainSearch(const SearchProblem& terms, const NodeCandidates::Eligible& eligible, DomainCache& cache,
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

  const SearchProblem& terms_;
  const NodeCandidates::Eligible& eligible_;
  DomainCache& cache_;
  const std::uint32_t tasks_;
  const std::uint32_t most_domains_;
  std::vector<Known> known_;
  std::vector<std::vector<std::uint32_t>> done_;  // combinations solved; sorted
  std::optional<Solution> best_;
  std::vector<Solution> beaten_;
  std::vector<LeadingCost> doubts_;  // lower bounds on the cost of sets that were not tried
  std::size_t looked_at_ = 0;
};

}  // namespace cede
