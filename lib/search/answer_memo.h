// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/node_watch.h"

namespace cede {

// The best set of victims for one gang as it was found last, for as long as no node is other than it was
// then. Only for requests whose answer depends on nothing else: neither on the time nor on a cap.
class AnswerMemo {
 public:
  explicit AnswerMemo(const Ground& ground) : watch_(ground) {}

  // Null where the request is another one, or where anything changed.
  const SearchAnswer* find(const SearchTerms& terms);
  void keep(const SearchTerms& terms, const SearchAnswer& answer);

 private:
  bool is_same_request(const SearchTerms& terms) const;

  NodeWatch watch_;
  JobId job_;
  std::vector<RequestTask> tasks_;
  std::optional<SearchAnswer> answer_;
};

}  // namespace cede
