// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/needs.h"
#include "search/objective.h"

namespace cede {

struct SearchLimits {
  std::int64_t exact_units = 20;
  std::uint64_t proof = 10'000'000;  // work that may go into proving that nothing is better
};

// Sets told beside the best one.
inline constexpr std::size_t kAlternatives = 5;

struct VictimSet {
  std::vector<const Unit*> victims;
  Placement placement;
  ObjectiveValue objective_value;
  std::int64_t figure = 0;     // of the cap that was left out
  bool in_name_order = false;  // the victims: see by_name()
};

struct SearchResult {
  std::optional<VictimSet> best;
  std::vector<VictimSet> others;            // at most kAlternatives that would have done too, best first
  bool proven = false;                      // of a set: nothing is better; of none: nothing is there
  bool needs_met = false;                   // with every candidate gone the request would fit
  std::size_t proven_entries = 0;           // without that: how many leading ones are the best there are
  bool placement_proven = true;             // what counts against the placement is the least there is
  std::optional<std::int64_t> price_bound;  // without that: no set has a lower price
  std::uint64_t work = 0;                   // looking for it and proving it took
};

// One of the alternatives a search is split into: where to place, and who could make room there.
struct SearchPlace {
  std::vector<std::uint32_t> nodes;  // empty: all
  std::vector<const Unit*> units;
};

// Finds the best set among the candidates of each place: a first answer by removing all and giving back, then
// every subset in the order of the objective, cut short where it cannot become better. Exact as long as the
// work lasts: a place with at most `exact_units` may use all of it, others have equal parts. The space is
// left as it was.
class VictimSearch {
 public:
  // `caps` that a set must keep; one may be left out by its index to learn whether it alone stands in the
  // way; then the set that exceeds it least is looked for.
  VictimSearch(Space& space, const Needs& needs, const Objective& objective, const RuleList<Cap>& caps,
               const SearchLimits& limits, std::size_t without_cap = SIZE_MAX)
      : space_(space),
        needs_(needs),
        objective_(objective),
        caps_(caps),
        limits_(limits),
        without_cap_(without_cap),
        work_(space.work()) {}

  SearchResult run(std::span<const SearchPlace> places);

 private:
  bool meets_needs();
  void remove(const Unit& unit);
  void put_back(const Unit& unit);
  // Takes out every task of the units that is still there, each once: an elastic job's single tasks are part
  // of the whole. Returns what it took.
  std::vector<TaskId> remove_all(std::span<const Unit* const> units);
  void put_back_all(const std::vector<TaskId>& tasks);
  bool may_add(const Unit& unit) const;
  bool breaks_cap() const;
  std::int64_t figure() const { return without_cap_ == SIZE_MAX ? 0 : caps_[without_cap_].figure(chosen_); }
  bool whole_where_part_would_do(const Unit& whole);
  bool is_minimal();
  void offer();
  bool cannot_improve();
  void enumerate(std::size_t next);
  void give_back();
  void prove(std::uint64_t share);
  void order_by_worth();
  // Whether the work has ended; whoever asks leaves something untried then.
  bool exhausted();

  Space& space_;
  const Needs& needs_;
  const Objective& objective_;
  const RuleList<Cap>& caps_;
  const SearchLimits& limits_;
  const std::size_t without_cap_;
  SearchResult answer_;
  const SearchPlace* place_ = nullptr;
  std::vector<const Unit*> order_;  // the place's units, those the objective would rather take first
  std::vector<const Unit*> chosen_;
  Work& work_;
  bool any_whole_ = false;      // an elastic job of the place offers itself as a whole
  std::uint64_t forgiven_ = 0;  // what was left untried for the placement alone
};

}  // namespace cede
