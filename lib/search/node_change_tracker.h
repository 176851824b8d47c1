// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/capacity_search.h"

namespace cede {

// Tells which nodes may have changed since the last call, for one kind of request.
class NodeChangeTracker {
 public:
  explicit NodeChangeTracker(const GroupIndex& group_index) : group_index_(group_index) {}

  // The numbers of the nodes, ascending. If nothing is known from before, returns all and sets `everything`.
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
  std::vector<std::uint32_t> moving_;  // with something in flight at the last call
};

// The candidates on some nodes, with scores and capacity model. `book`: by slot, all kNoCandidate; used
// during the lifetime of this object and restored.
struct NodeCandidates {
  using Eligible = std::function<bool(const Unit&)>;
  NodeCandidates(const SearchProblem& terms, const Eligible& eligible,
                 const std::vector<std::uint32_t>& nodes, std::vector<CandidateScores::Index>& book);
  const CandidateScores scores;
  const CapacityModel capacity_model;
};

}  // namespace cede
