// SPDX-License-Identifier: MIT
#include "search/gang_answer_cache.h"

#include <algorithm>

namespace cede {

bool GangAnswerCache::is_same_request(const SearchProblem& terms) const {
  const Request& request = terms.rule_context.request;
  return request.job == job_ &&
         std::equal(tasks_.begin(), tasks_.end(), request.tasks.begin(), request.tasks.end(),
                    [](const RequestTask& a, const RequestTask& b) {
                      return a.row == b.row && a.index == b.index && a.resources == b.resources;
                    });
}

const SearchResult* GangAnswerCache::find(const SearchProblem& terms) {
  bool everything = false;
  if (!watch_.changed(terms, everything).empty()) answer_.reset();
  return answer_ && is_same_request(terms) ? &*answer_ : nullptr;
}

void GangAnswerCache::keep(const SearchProblem& terms, const SearchResult& answer) {
  bool everything = false;
  answer_.reset();
  // Somebody may have asked about another state since the search began.
  if (!watch_.changed(terms, everything).empty()) return;
  job_ = terms.rule_context.request.job;
  tasks_ = terms.rule_context.request.tasks;
  answer_ = answer;
}

}  // namespace cede
