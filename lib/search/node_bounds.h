// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "search/capacity_search.h"

namespace cede {

// Tells which nodes may have changed since the last call, for one kind of request.
class NodeChangeTracker {
 public:
  explicit NodeChangeTracker(const GroupIndex& group_index) : group_index_(group_index) {}

  // The numbers of the nodes, ascending. If nothing is known from before, returns all and sets `everything`.
  std::vector<std::uint32_t> changed(const SearchProblem& problem, bool& everything);

 private:
  bool is_same(const SearchProblem& problem);
  std::vector<std::uint32_t> in_flight_nodes(const SearchProblem& problem) const;

  const GroupIndex& group_index_;
  bool begun_ = false;
  std::uint64_t seen_ = 0;
  std::vector<Total> capacity_;
  std::vector<ResourceAmount> asked_;
  std::shared_ptr<const Requirement> require_;
  InFlight in_flight_;  // at the last call
};

// The candidates on some nodes, with scores and capacity model. `book`: by slot, all kNoCandidate; used
// during the lifetime of this object and restored.
struct NodeCandidates {
  using Eligible = std::function<bool(const Unit&)>;
  NodeCandidates(const SearchProblem& problem, const Eligible& eligible,
                 const std::vector<std::uint32_t>& nodes, std::vector<CandidateScores::Index>& book);
  const CandidateScores scores;
  const CapacityModel capacity_model;
};

// The price of each unit; kStays for a unit that is no candidate. The objective must lead with a price.
class UnitPrices {
 public:
  static constexpr std::int64_t kStays = std::numeric_limits<std::int64_t>::min();
  UnitPrices(const SearchProblem& problem, const NodeCandidates::Eligible& eligible)
      : problem_(problem), eligible_(eligible), price_(problem.objective.measures()[kPriceMeasure]) {}

  // Computes all prices at once, with the workers. Pays off if most prices are needed.
  void work_out_all();
  std::int64_t of(const Unit& unit) const { return by_slot_.empty() ? ask(unit) : by_slot_[unit.slot]; }

 private:
  std::int64_t ask(const Unit& unit) const;

  const SearchProblem& problem_;
  const NodeCandidates::Eligible& eligible_;
  const Measure& price_;
  std::vector<std::int64_t> by_slot_;
};

// A lower bound on the price of room for one task on a node, computed from prices and freed amounts without a
// search. Only the nodes with the lowest bounds then need a search.
class NodeBounds {
 public:
  struct Answer {
    enum class Kind : std::uint8_t { no_set, at_least, unknown };
    Kind kind = Kind::no_set;
    std::int64_t price = 0;
  };
  // A node with more than `most_units` candidates gets no bound.
  NodeBounds(const CapacityModel& capacity_model, const UnitPrices& prices, std::size_t most_units);

  // Whether any node can get a bound.
  static bool tells(const CapacityModel& capacity_model);
  Answer of(std::uint32_t node);

 private:
  struct Candidate {
    const Unit* unit = nullptr;
    std::int64_t price = 0;
    bool needed = false;  // part of every set
  };
  struct Gains {
    ShapeId shape = static_cast<ShapeId>(-1);
    std::vector<Total> amounts;
  };
  bool list(std::uint32_t node, bool counts_devices);
  void learn(ShapeId shape, Gains& out) const;
  const Total* gains_of(ShapeId shape);
  Total gain(std::size_t unit, std::size_t resource) const { return gains_[unit * width_ + resource]; }
  Total* add(const Unit& unit, std::int64_t price);
  Total take_needed_units();
  Total least_cover(std::size_t resource);

  const CapacityModel& capacity_model_;
  const UnitPrices& prices_;
  const std::size_t most_units_;
  const std::size_t width_;  // resources asked for, and devices
  std::vector<Candidate> units_;
  std::vector<Total> gains_;  // by unit; the rest is stale
  std::vector<Total> lack_;
  std::vector<Total> sums_;  // of all gains
  std::vector<std::uint32_t> order_;
  std::array<Gains, 64> by_shape_;  // seen last
};

}  // namespace cede
