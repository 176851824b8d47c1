// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "search/node_change_tracker.h"

namespace cede {

// What each unit's leaving costs where the objective leads with a price, and who stays.
class UnitPrices {
 public:
  static constexpr std::int64_t kStays = std::numeric_limits<std::int64_t>::min();
  UnitPrices(const SearchProblem& terms, const NodeCandidates::Eligible& eligible)
      : terms_(terms), eligible_(eligible), price_(terms.objective.measures()[kPriceMeasure]) {}

  // For whoever asks about most of them: works out all, by whoever is there to help.
  void work_out_all();
  std::int64_t of(const Unit& unit) const { return by_slot_.empty() ? ask(unit) : by_slot_[unit.slot]; }

 private:
  std::int64_t ask(const Unit& unit) const;

  const SearchProblem& terms_;
  const NodeCandidates::Eligible& eligible_;
  const Measure& price_;
  std::vector<std::int64_t> by_slot_;
};

// What it costs at least to make room for one task on a node, told from the prices of those who may go and
// from what their leaving frees, without a search. A search of its own is then worth while only for the nodes
// that come first.
class NodeBounds {
 public:
  struct Answer {
    enum class Kind : std::uint8_t { no_set, at_least, unknown };
    Kind kind = Kind::no_set;
    std::int64_t price = 0;
  };
  // With more than `most_units` units on it nothing is told of a node.
  NodeBounds(const CapacityModel& capacity_model, const UnitPrices& prices, std::size_t most_units);

  // Whether there may be nodes at all of which something is told.
  static bool tells(const CapacityModel& capacity_model);
  Answer of(std::uint32_t node);

 private:
  struct Candidate {
    const Unit* unit = nullptr;
    std::int64_t price = 0;
    bool needed = false;  // there is no set without it
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
  Total take_the_needed();
  Total least_cover(std::size_t resource);

  const CapacityModel& capacity_model_;
  const UnitPrices& prices_;
  const std::size_t most_units_;
  const std::size_t width_;  // resources asked, and devices
  std::vector<Candidate> units_;
  std::vector<Total> gains_;  // by unit; what is behind them is left from others
  std::vector<Total> lack_;
  std::vector<Total> sums_;  // of all gains
  std::vector<std::uint32_t> order_;
  std::array<Gains, 64> by_shape_;  // those seen last
};

}  // namespace cede
