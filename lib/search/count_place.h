// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/node_subset.h"
#include "search/place_count.h"

namespace cede {

// What a search uses over and over; one for each thread.
struct Workbench {
  Workbench(const Counting& counting, const Fates& start, std::uint64_t steps)
      : trial(counting), fates(start), shares(counting.merits().size(), 0), node_steps(steps) {}
  NodeTrial trial;
  Fates fates;                        // left as they were
  std::vector<std::uint32_t> shares;  // likewise: all zero
  const std::uint64_t node_steps;     // to find the cheapest units of one node
};

struct PlaceLimits {
  std::uint64_t steps = 0;        // counted looks at nodes
  std::uint64_t exact_units = 0;  // with so many units the steps do not count
};

// One place, all of whose nodes may be used together: which units to remove so that its nodes take the whole
// request. Node by node the cheapest units for one task more are worked out; the cheapest of these steps are
// a set and, where no unit is part of two of them, the best one. Units on several nodes of the place are
// charged a part at each, which bounds the cost from below, and are decided one by one. With `part_of` that
// part is so small that it also bounds places made of as many domains as that entry allows.
class CountPlace {
 public:
  using Index = Merits::Index;
  CountPlace(const Counting& counting, const CapList& caps, Workbench& bench,
             std::vector<std::uint32_t> nodes, const DomainNeed* part_of = nullptr);
  ~CountPlace();
  CountPlace(const CountPlace&) = delete;
  CountPlace& operator=(const CountPlace&) = delete;

  // Whether the request fits with every candidate gone.
  bool is_enough() const { return most_ >= counting_.tasks(); }
  // How many tasks it takes as it is, and what each further one costs at least, cheapest first.
  std::uint64_t takes() const;
  std::vector<Cost> step_costs() const;
  // No set costs less.
  const Cost& bound() const { return bound_; }
  // The best set, if it beats `best`; false where the steps ran out before that was certain.
  bool improve(const PlaceLimits& limits, std::optional<CostedSet>& best);
  std::uint64_t work() const { return work_; }

 private:
  struct Step {
    Cost cost;
    std::vector<Index> units;
    std::vector<std::int64_t> tail;  // see Merits::tail
    bool real = true;                // false: a bound only
  };
  struct NodeSteps {
    std::uint32_t takes = 0;  // with nobody else gone
    std::vector<Step> steps;
  };
  void find_shared(const DomainNeed* part_of);
  NodeSteps steps_of(std::uint32_t node);
  Cost select();
  bool branch(std::optional<CostedSet>& best);
  void decide(Index unit, Fate fate);
  void offer(const std::vector<Index>& units, std::optional<CostedSet>& best);
  bool breaks_cap(const std::vector<Index>& units) const;
  std::vector<Index> selected_units() const;
  void start_values(std::optional<CostedSet>& best);
  std::vector<Index> given_back(PlaceCount& count, std::vector<Index> gone) const;
  bool search_units(std::optional<CostedSet>& best);
  void make_minimal(CostedSet& set);
  bool exhausted() const { return work_ > limit_; }

  const Counting& counting_;
  const Merits& merits_;
  const CapList& caps_;
  Workbench& bench_;
  const std::vector<std::uint32_t> nodes_;
  NodeSubset subset_;
  std::vector<Index> shared_;  // units on several of the nodes
  std::vector<NodeSteps> by_node_;
  std::vector<const Step*> selected_;
  std::vector<Index> gone_;  // decided
  Cost gone_cost_;
  std::uint64_t most_ = 0;
  std::uint64_t units_ = 0;  // open ones, each as often as it has nodes here
  Cost bound_;
  bool cap_broken_ = false;
  std::uint64_t work_ = 0;
  std::uint64_t limit_ = 0;
};

}  // namespace cede
