// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/node_watch.h"
#include "search/question.h"

namespace cede {

// Answers a request from what is remembered of earlier ones of its kind, brought up to date where something
// changed since. What it finds is what a search without a memory would find.
class Recall {
 public:
  Recall(const SearchTerms& terms, const Question& question) : terms_(terms), question_(question) {}

  // Nothing where the request is not of that sort, where there is no set, or where a cap forbids the best.
  std::optional<SearchAnswer> run();

 private:
  bool is_plain_request() const;
  bool depends_on_place_alone() const;
  bool leads_with_price() const;
  bool prices_never_fall() const;
  std::optional<SearchAnswer> for_one_task(const NodeView::Eligible& eligible, bool timeless);
  std::optional<SearchAnswer> for_gang(const NodeView::Eligible& eligible);

  const SearchTerms& terms_;
  const Question& question_;
};

}  // namespace cede
