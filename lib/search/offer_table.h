// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/objective.h"

namespace cede {

// A subproblem as what its nodes offer: so many more tasks if these units of the node are gone. Units and
// nodes are numbered by the order of the objective, so that nothing depends on internal ids.
class OfferTable {
 public:
  using Index = CandidateScores::Index;
  using Unit = std::uint32_t;                    // a number in this table
  using Mask = std::uint64_t;                    // some units of one node, by position
  static constexpr std::size_t kMostUnits = 64;  // of one node

  struct Offer {
    std::uint32_t tasks = 0;
    Mask units = 0;
    auto operator<=>(const Offer&) const = default;
  };
  // Ranges of offers() and of places.
  struct Node {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::uint32_t first_unit = 0;
    std::uint32_t end_unit = 0;
  };
  // A unit on one node.
  struct Place {
    Unit unit = 0;
    std::uint32_t node = 0;
  };

  // The offers of one node for its `units`; bit i of a mask is the i-th of them.
  void add(std::vector<Offer> offers, std::vector<Index> units);
  // To be called once after all nodes were added.
  void finish(const CandidateScores& scores);

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Offer> offers(const Node& node) const {
    return std::span(offers_).subspan(node.first, node.end - node.first);
  }
  std::span<const Place> places() const { return places_; }
  std::span<const Place> places(const Node& node) const {
    return places().subspan(node.first_unit, node.end_unit - node.first_unit);
  }
  // Positions in places().
  std::span<const std::uint32_t> places_of(Unit unit) const {
    return std::span(by_unit_).subspan(first_place_[unit], first_place_[unit + 1] - first_place_[unit]);
  }
  std::size_t units() const { return units_.size(); }
  Index candidate(Unit unit) const { return units_[unit]; }
  std::span<const Index> candidates() const { return units_; }
  // Appends the numbers of some candidates. False if one is not in the table.
  bool find(std::span<const Index> candidates, std::vector<Unit>& out) const;

 private:
  struct Raw {
    std::vector<Offer> offers;
    std::vector<Index> units;
    auto operator<=>(const Raw&) const = default;
  };
  void number_units(const CandidateScores& scores);
  static void sort(Raw& node);
  void merge_equal_nodes();

  std::vector<Raw> raw_;      // by node, until finish()
  std::vector<Index> units_;  // by number
  std::vector<std::pair<Index, Unit>> numbers_;
  std::vector<Node> nodes_;
  std::vector<Offer> offers_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> by_unit_;
  std::vector<std::uint32_t> first_place_;  // by unit; one more at the end
};

}  // namespace cede
