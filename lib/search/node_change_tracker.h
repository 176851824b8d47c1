// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/capacity_search.h"

namespace cede {

// Tells for one kind of request which nodes may be other than when it was asked last.
class NodeChangeTracker {
 public:
  explicit NodeChangeTracker(const GroupIndex& group_index) : group_index_(group_index) {}

  // Their numbers, ascending. All of them, and then `everything` is set, where nothing is known from before.
  std::vector<std::uint32_t> changed(const SearchProblem& terms, bool& everything);

 private:
  bool is_same(const SearchProblem& terms);
  std::vector<std::uint32_t> in_flight_nodes(const SearchProblem& terms) const;

  const GroupIndex& group_index_;
  bool begun_ = false;
  std::uint64_t seen_ = 0;
  std::vector<Total> capacity_;
  std::vector<ResourceAmount> asked_;
  std::shared_ptr<const Requirement> require_;
  std::vector<std::uint32_t> moving_;  // where something was in flight
};

// The units on some nodes that may go, as a search sees them. `book` is used while this is there and left as
// it was: by slot, nobody.
struct NodeCandidates {
  using Eligible = std::function<bool(const Unit&)>;
  NodeCandidates(const SearchProblem& terms, const Eligible& eligible,
                 const std::vector<std::uint32_t>& nodes, std::vector<CandidateScores::Index>& book);
  const CandidateScores scores;
  const CapacityModel capacity_model;
};

}  // namespace cede
