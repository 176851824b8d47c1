// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/eligibility.h"
#include "search/node_cache.h"
#include "search/query.h"

namespace cede {

class RoomCache;

// A request that nobody's leaving makes room for.
struct NoRoom {
  std::size_t units = 0;  // that may go
  std::string missing;
  std::uint64_t work = 0;
};

// What may be kept of an answer for later requests of its kind, told from what the answer depends on. Nodes
// where something changed, and those with anything in flight, are looked at again in any case.
struct Reuse {
  bool sets = false;      // the best set on each node; where the time worsens it, as a bound
  bool timeless = false;  // these sets, at whatever time
  bool room = false;      // who may go, at whatever time
  bool answer = false;    // all of it while no node changes
};
Reuse reuse_of(Dependencies eligibility, Dependencies measures, Dependencies caps);
// Whether there may be any. Admission is asked anew for every request; but where it depends on what is in
// flight, nothing is used again while anything is.
bool may_reuse(Dependencies admission, const InFlight& in_flight);

// Answers a request from what is remembered of earlier ones of its kind, brought up to date where something
// changed since. What it finds is what a search without a memory would find.
class AnswerCache {
 public:
  AnswerCache(const SearchProblem& terms, const Query& query) : terms_(terms), query_(query) {}

  // Nothing where the request is not of that sort, where there is no set, or where a cap forbids the best.
  std::optional<SearchResult> run();
  // Remembers what a search found. Its victims are in the order of their names from then on.
  void keep(SearchResult& found);
  // Whether there is no room even with everybody gone who may go. Nothing where there is, or where that is
  // not known of requests of this kind.
  std::optional<NoRoom> no_room();
  // Works it out, and remembers it from then on. `all`: everybody who may go.
  std::optional<NoRoom> no_room(const std::vector<const Unit*>& all);

 private:
  const Eligibility& eligibility();
  const Reuse& reuse();
  Reuse find_reuse();
  bool reuses_answer();
  bool reuses_room();
  std::optional<NoRoom> no_room(RoomCache& cache, const NodeCandidates::Eligible& eligible) const;
  template <class Act>
  auto with_eligible(Act act);
  bool is_plain_request() const;
  bool is_plain_state() const;
  std::optional<SearchResult> for_one_task(const NodeCandidates::Eligible& eligible, NodeCache::Order order);
  std::optional<SearchResult> for_gang(const NodeCandidates::Eligible& eligible);

  const SearchProblem& terms_;
  const Query& query_;
  std::optional<Eligibility> eligibility_;  // once it is asked for
  std::optional<Reuse> reuse_;
};

}  // namespace cede
