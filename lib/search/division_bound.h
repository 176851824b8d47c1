// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "base/work.h"
#include "search/capacity_model.h"
#include "search/offer_table.h"
#include "search/packed_cost.h"

namespace cede {

// A lower bound on the cost of room for some tasks where units are on several nodes. The cost of a unit is
// divided over its nodes; the cheapest offers for the tasks then cost no more than any set (a Lagrangian
// bound). The division is improved step by step: nodes whose offers are taken pay more, the others less.
class DivisionBound {
 public:
  using Unit = OfferTable::Unit;
  static constexpr Total kNoSet = std::numeric_limits<std::int64_t>::max() * (Total{1} << 60);
  static constexpr std::uint32_t kNoNode = 0xFFFF'FFFF;

  // `costs`: of the units, packed. `tasks`: to be made room for.
  DivisionBound(const OfferTable& table, std::vector<Total> costs, std::uint64_t tasks, Work& work);

  // Bounds the cost of the sets that agree with the fixings; kNoSet: there are none. Afterwards the queries
  // below are about the offers taken for it.
  Total evaluate();
  Total value() const { return value_; }
  // Remembers the division; goes back to the one remembered.
  void keep() { kept_ = shares_; }
  void restore() { shares_ = kept_; }
  // Divides better, given that no set above this cost matters. False if no division is better.
  bool improve(Total most, int damping);

  // The units of the offers taken, and those fixed as gone; they make room for the tasks, and some may not
  // be needed.
  std::vector<Unit> units_taken() const;
  // The same without what is not needed, costliest first.
  std::vector<Unit> needed_units() const;
  Total cost(Unit unit) const { return costs_[unit]; }
  Total cost(const std::vector<Unit>& units) const;
  // The unit taken of whose cost the most is not charged, and whether most of it is; kNoNode: all are charged
  // in full.
  Unit distorted(bool& mostly_charged) const;
  // The costliest open unit taken of those for which the claim is true; kNoNode: none.
  Unit costliest(const std::function<bool(Unit)>& claim) const;
  // The node of which an offer is taken in part, and how many tasks the whole offer makes room for.
  std::uint32_t split_node() const { return split_; }
  std::uint32_t split_tasks() const { return split_tasks_; }
  // What the sets cost at least that take anything of a node with this unit.
  Total with_node_of(Unit unit) const;

  const std::vector<Unit>& gone() const { return gone_; }
  Fixing fixing(Unit unit) const { return fixings_[unit]; }
  void fix(Unit unit, Fixing fixing);
  // Between how many tasks the node may take.
  struct Limits {
    std::uint32_t least = 0;
    std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  };
  Limits limits(std::uint32_t node) const { return nodes_[node].limits; }
  void limit(std::uint32_t node, Limits limits) { nodes_[node].limits = limits; }
  // Drops the nodes that no set needs unless it costs too much, for good. Nothing may be fixed. True if there
  // were any.
  template <class IsTooMuch>
  bool drop_nodes(IsTooMuch is_too_much) {
    bool any = false;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      if (nodes_[node].dropped || !is_too_much(with_node(node))) continue;
      drop(node);
      any = true;
    }
    if (any) std::erase_if(live_, [&](std::uint32_t node) { return nodes_[node].dropped; });
    return any;
  }

 private:
  // Further tasks on one node, each of which costs this much.
  struct Edge {
    Total slope = 0;
    std::uint32_t tasks = 0;
    std::uint32_t upto = 0;  // all tasks of the node with these
    std::uint32_t node = 0;
    OfferTable::Mask units = 0;  // for all tasks of the node with these
  };
  struct Point {
    std::uint32_t tasks = 0;
    Total cost = 0;
    OfferTable::Mask units = 0;
  };
  struct NodeState {
    Limits limits;
    bool dropped = false;
    Total first_slope = kNoSet;  // of its cheapest edge
    OfferTable::Mask taken = 0;  // units of the offers taken
    bool is_taken = false;
  };
  void divide_by_tasks();
  void list_points(std::uint32_t node);
  bool list_edges(std::uint32_t node);
  void take(std::uint32_t node, OfferTable::Mask units);
  void charge();
  std::uint32_t tasks_of(std::uint32_t node, const std::vector<bool>& gone) const;
  void move_shares(Unit unit, Total step, int damping);
  void drop(std::uint32_t node);
  Total with_node(std::uint32_t node) const;

  const OfferTable& table_;
  const std::vector<Total> costs_;  // by unit
  const std::uint64_t tasks_;
  Work& work_;
  std::vector<Total> shares_;  // by place
  std::vector<Total> kept_;    // shares_ remembered
  std::vector<Fixing> fixings_;
  std::vector<NodeState> nodes_;
  std::vector<std::uint32_t> live_;  // nodes that are not dropped
  std::vector<Unit> gone_;
  Total gone_cost_ = 0;
  // Of the last evaluation.
  Total value_ = 0;
  Total highest_ = 0;  // slope of the costliest edge taken
  Total base_ = 0;     // cost of what nodes must take
  std::uint64_t base_tasks_ = 0;
  std::uint32_t split_ = kNoNode;
  std::uint32_t split_tasks_ = 0;
  std::vector<Edge> edges_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> taken_nodes_;
  std::vector<std::uint32_t> times_taken_;  // by unit: on how many nodes
  std::vector<Total> charged_;              // by unit
  std::vector<Unit> taken_units_;           // open, each once
};

}  // namespace cede
