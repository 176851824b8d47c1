// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/node_change_tracker.h"

namespace cede {

// The best set of victims for one gang as it was found last, for as long as no node is other than it was
// then. Only for requests whose answer depends on nothing else: neither on the time nor on a cap.
class GangAnswerCache {
 public:
  explicit GangAnswerCache(const GroupIndex& group_index) : watch_(group_index) {}

  // Null where the request is another one, or where anything changed.
  const SearchResult* find(const SearchProblem& terms);
  void keep(const SearchProblem& terms, const SearchResult& answer);

 private:
  bool is_same_request(const SearchProblem& terms) const;

  NodeChangeTracker watch_;
  JobId job_;
  std::vector<RequestTask> tasks_;
  std::optional<SearchResult> answer_;
};

}  // namespace cede
