// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/node_memo.h"
#include "search/question.h"

namespace cede {

class RoomMemo;

// A request that nobody's leaving makes room for.
struct NoRoom {
  std::size_t units = 0;  // that may go
  std::string missing;
  std::uint64_t work = 0;
};

// Answers a request from what is remembered of earlier ones of its kind, brought up to date where something
// changed since. What it finds is what a search without a memory would find.
class Recall {
 public:
  Recall(const SearchTerms& terms, const Question& question) : terms_(terms), question_(question) {}

  // Nothing where the request is not of that sort, where there is no set, or where a cap forbids the best.
  std::optional<SearchAnswer> run();
  // Remembers what a search found. Its victims are in the order of their names from then on.
  void keep(SearchAnswer& found);
  // Whether there is no room even with everybody gone who may go. Nothing where there is, or where that is
  // not known of requests of this kind.
  std::optional<NoRoom> no_room();
  // Works it out, and remembers it from then on. `all`: everybody who may go.
  std::optional<NoRoom> no_room(const std::vector<const Unit*>& all);

 private:
  bool is_timeless() const;
  bool is_answer_of_nodes() const;
  bool is_matter_of_room() const;
  std::optional<NoRoom> no_room(RoomMemo& memo, const NodeView::Eligible& eligible) const;
  template <class Act>
  auto with_eligible(Act act) const;
  bool is_plain_request() const;
  bool depends_on_place_alone() const;
  bool leads_with_price() const;
  bool prices_never_fall() const;
  std::optional<SearchAnswer> for_one_task(const NodeView::Eligible& eligible, NodeMemo::Order order);
  std::optional<SearchAnswer> for_gang(const NodeView::Eligible& eligible);

  const SearchTerms& terms_;
  const Question& question_;
};

}  // namespace cede
