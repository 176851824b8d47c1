// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/composition.h"
#include "search/node_cache.h"
#include "search/query.h"

namespace cede {

class RoomCache;

// A request that no set of victims makes room for.
struct NoRoom {
  std::size_t units = 0;  // candidates
  std::string missing;
  std::uint64_t work = 0;
};

// What later requests of the same kind may reuse of an answer, derived from what the answer depends on. Nodes
// that changed and nodes with anything in flight are always looked at again.
struct Reuse {
  bool sets = false;      // the best set on each node; only as a bound if time worsens it
  bool one_task = false;  // the same for one task, if some rules are asked only about the best set of all
  bool timeless = false;  // the best sets, at any time
  bool room = false;      // the candidates, at any time
  bool answer = false;    // the whole answer while no node changes
};
Reuse reuse_of(Dependencies eligibility, Dependencies measures, Dependencies caps);
// Whether anything may be reused. Admission is checked for every request. If it depends on what is in flight,
// nothing is reused while anything is in flight.
bool may_reuse(Dependencies admission, const InFlight& in_flight);

// Answers a request from cached results of earlier requests of its kind, updated where something changed. The
// answer equals that of a search without a cache.
class AnswerCache {
 public:
  AnswerCache(const SearchProblem& problem, const Query& query) : problem_(problem), query_(query) {}

  // nullopt if the request is not of such a kind, if there is no set, or if a cap forbids the best one.
  std::optional<SearchResult> run();
  // Caches the result of a search. Sorts its victims by name.
  void keep(SearchResult& found);
  // Whether there is no room even without all candidates. nullopt if there is room, or if this is not cached
  // for this kind of request.
  std::optional<NoRoom> no_room();
  // Computes the same and caches it. `all`: all candidates.
  std::optional<NoRoom> no_room(const std::vector<const Unit*>& all);

 private:
  const Eligibility& eligibility();
  bool is_excluded(const SearchResult& found);
  const Reuse& reuse();
  Reuse find_reuse();
  bool reuses_answer();
  bool reuses_room();
  std::optional<NoRoom> no_room(RoomCache& cache, const NodeCandidates::Eligible& eligible) const;
  template <class Act>
  auto with_eligible(const Eligibility& rules, Act act);
  bool is_plain_request() const;
  bool is_plain_state() const;
  std::optional<SearchResult> for_one_task();
  std::optional<SearchResult> for_gang(const NodeCandidates::Eligible& eligible);

  const SearchProblem& problem_;
  const Query& query_;
  std::optional<Eligibility> eligibility_;  // set on first use
  std::optional<Reuse> reuse_;
};

}  // namespace cede
