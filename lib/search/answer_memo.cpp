// SPDX-License-Identifier: MIT
#include "search/answer_memo.h"

#include <algorithm>

namespace cede {

bool AnswerMemo::is_same_request(const SearchTerms& terms) const {
  const Request& request = terms.asking.request;
  return request.job == job_ &&
         std::equal(tasks_.begin(), tasks_.end(), request.tasks.begin(), request.tasks.end(),
                    [](const RequestTask& a, const RequestTask& b) {
                      return a.row == b.row && a.index == b.index && a.resources == b.resources;
                    });
}

const SearchAnswer* AnswerMemo::find(const SearchTerms& terms) {
  bool everything = false;
  if (!watch_.changed(terms, everything).empty()) answer_.reset();
  return answer_ && is_same_request(terms) ? &*answer_ : nullptr;
}

void AnswerMemo::keep(const SearchTerms& terms, const SearchAnswer& answer) {
  bool everything = false;
  answer_.reset();
  // Somebody may have asked about another state since the search began.
  if (!watch_.changed(terms, everything).empty()) return;
  job_ = terms.asking.request.job;
  tasks_ = terms.asking.request.tasks;
  answer_ = answer;
}

}  // namespace cede
