// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/objective.h"
#include "search/placement.h"

namespace cede {

struct SearchLimits {
  std::int64_t exact_units = 20;
  std::int64_t search_work = 10'000'000;
  std::int64_t max_victims = -1;  // distinct jobs; -1: no cap
};

struct FoundSet {
  std::vector<const Unit*> victims;
  std::vector<PlannedTask> placement;
  Worth worth;
};

struct SearchAnswer {
  std::optional<FoundSet> best;
  std::vector<FoundSet> others;   // at most five that would have done too, best first
  bool proven = false;            // of a set: nothing is better; of none: nothing is there
  bool needs_met = false;         // with every candidate gone the request would fit
  bool cap_in_the_way = false;    // sets were found that only the cap on victims forbids
  std::uint64_t fewest_jobs = 0;  // the least number of jobs among those
  std::uint64_t work = 0;
};

// Finds the best set among the candidates. Exact over all subsets where a place has at most `exact_units` of
// them: the whole group for a gang, each node by itself for a single task. Beyond that the first answer of
// remove all, place, give back stands, unproven. Counted in placements tried, never in time.
class VictimSearch {
 public:
  VictimSearch(Space& space, const Placer& placer, const Objective& objective, const SearchLimits& limits)
      : space_(space),
        placer_(placer),
        objective_(objective),
        limits_(limits),
        gone_(space.model().tasks.id_bound(), false) {}

  SearchAnswer run(const std::vector<const Unit*>& candidates, bool single_task);

 private:
  struct Place {
    NodeId only;
    std::vector<const Unit*> units;
    std::vector<const Unit*> chosen;
  };
  bool meets_needs(NodeId only, std::vector<PlannedTask>* placement);
  void remove(const Unit& unit);
  void put_back(const Unit& unit);
  // Takes out every task of the units that is still there, each once: an elastic job's single tasks are part
  // of the whole. Returns what it took.
  std::vector<TaskId> remove_all(std::span<const Unit* const> units);
  bool may_add(const Place& place, const Unit& unit) const;
  std::size_t jobs_in(const std::vector<const Unit*>& units) const;
  bool whole_where_part_would_do(const Place& place, const Unit& whole);
  bool is_minimal(const Place& place);
  void offer(const Place& place);
  void enumerate(Place& place, std::size_t next);
  void give_back(Place& place);
  bool exhausted() const { return answer_.work >= static_cast<std::uint64_t>(limits_.search_work); }

  Space& space_;
  const Placer& placer_;
  const Objective& objective_;
  const SearchLimits& limits_;
  SearchAnswer answer_;
  std::vector<bool> gone_;  // by task row
};

}  // namespace cede
