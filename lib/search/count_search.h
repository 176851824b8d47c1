// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "search/count_place.h"
#include "search/crew.h"
#include "search/victim_search.h"

namespace cede {

// What a search for victims is about.
struct SearchTerms {
  const Asking& asking;
  const Placer& placer;
  const Ground& ground;
  Space& space;  // left as it was
  const Needs& needs;
  const Objective& objective;
  const CapList& caps;
  SearchLimits limits;
  Crew* crew = nullptr;
};

// How much of the work one node of so many is worth: to find the steps of each in a place of many, and to
// find the best set of one that is a place of its own. Depends on nothing else, so that what is remembered of
// a node is what would be found again.
std::uint64_t work_per_node(const SearchLimits& limits, std::size_t nodes);
std::uint64_t work_per_single_node(const SearchLimits& limits, std::size_t nodes);

// The largest set of victims that is told with what only breaks ties.
inline constexpr std::size_t kNamed = 1000;

// A set with the place its leaving makes; nothing where it makes none. `named`: with what only breaks ties.
std::optional<FoundSet> found_set(const SearchTerms& terms, std::vector<const Unit*> victims, NodeList nodes,
                                  bool named);

// Finds the best set of victims for a request that counting decides: bounds what each place costs, then
// solves the places in the order of their bounds until none can hold a better set. Places go in waves of
// fixed size; those of one wave are searched at the same time against the best set known before it.
class CountSearch {
 public:
  // `candidates`: who may go.
  CountSearch(const SearchTerms& terms, std::span<const Unit* const> candidates);

  // Nothing where counting alone does not lead to an answer.
  std::optional<SearchAnswer> run();

 private:
  using Index = Merits::Index;
  using Nodes = std::vector<std::uint32_t>;
  // A set and the nodes it makes room on.
  struct Solution {
    std::optional<CostedSet> set;
    Nodes nodes;
  };
  class Bench;
  static constexpr std::size_t kPlacesAtOnce = 8;  // one wave

  void allow_up_to(std::int64_t highest);
  std::vector<std::int64_t> highest_values(const std::vector<Nodes>& regions);
  void search(const std::vector<Nodes>& all);
  // `looked_at`: gets how many nodes that took.
  bool is_enough(const std::vector<Nodes>& regions, std::uint64_t* looked_at = nullptr);
  std::vector<Nodes> regions() const;
  std::vector<Nodes> domains_of(const Nodes& region, std::uint32_t level) const;
  const DomainNeed* several() const;
  void search_nodes(const Nodes& nodes);
  void search_places(const std::vector<Nodes>& places);
  void search_combinations(const Nodes& region, const DomainNeed& need);
  void keep(Solution solution);
  void doubt(const Cost& bound);
  void gather(const Work& part, bool certain, const Cost& bound);
  std::uint64_t proof_left() const;
  std::optional<FoundSet> found(const CostedSet& set, const Nodes& nodes);
  bool finish();

  const SearchTerms& terms_;
  Work& work_;  // of the question
  const std::uint64_t begun_;
  const Merits merits_;
  const Counting counting_;
  Crew* const crew_;
  const bool elastic_;  // somebody offers himself as a whole too
  Fates start_;
  std::mutex benches_mutex_;
  std::vector<std::unique_ptr<Workbench>> benches_;
  Solution best_;
  std::vector<Solution> beaten_;
  std::vector<Solution> ties_;
  bool too_many_ties_ = false;
  std::optional<Cost> doubt_;  // what a set that was not looked for costs at least
  SearchAnswer answer_;
};

// A workbench while somebody uses it, with work of its own.
class CountSearch::Bench {
 public:
  Bench(CountSearch& search, std::uint64_t limit) : search_(search) {
    {
      const std::lock_guard lock(search.benches_mutex_);
      if (!search.benches_.empty()) {
        bench_ = std::move(search.benches_.back());
        search.benches_.pop_back();
      }
    }
    if (!bench_)
      bench_ = std::make_unique<Workbench>(search.counting_, search.start_,
                                           work_per_node(search.terms_.limits, search.counting_.nodes()));
    bench_->work = Work(limit);
  }
  ~Bench() {
    bench_->trial.leave();
    const std::lock_guard lock(search_.benches_mutex_);
    search_.benches_.push_back(std::move(bench_));
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  Workbench& operator*() { return *bench_; }
  Workbench* operator->() { return bench_.get(); }

 private:
  CountSearch& search_;
  std::unique_ptr<Workbench> bench_;
};

}  // namespace cede
