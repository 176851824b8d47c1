// SPDX-License-Identifier: MIT
#include "search/division_bound.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace cede {

namespace {

constexpr Total kFraction = 256;  // fractions are multiples of its inverse

}  // namespace

DivisionBound::DivisionBound(const OfferTable& table, std::vector<Total> costs, std::uint64_t tasks,
                             Work& work)
    : table_(table),
      costs_(std::move(costs)),
      tasks_(tasks),
      work_(work),
      shares_(table.places().size(), 0),
      fixings_(table.units(), Fixing::open),
      nodes_(table.nodes().size()),
      times_taken_(table.units(), 0),
      charged_(table.units(), 0) {
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) live_.push_back(node);
  divide_by_tasks();
}

// At first every node pays for a unit by the tasks that it takes with it.
void DivisionBound::divide_by_tasks() {
  std::vector<Total> weights(shares_.size(), 1);
  for (const OfferTable::Node& node : table_.nodes()) {
    for (const OfferTable::Offer& offer : table_.offers(node)) {
      for (OfferTable::Mask left = offer.units; left != 0; left &= left - 1) {
        Total& weight = weights[node.first_unit + static_cast<std::uint32_t>(std::countr_zero(left))];
        weight = std::max<Total>(weight, offer.tasks);
      }
    }
  }
  for (Unit unit = 0; unit < table_.units(); ++unit) {
    Total sum = 0;
    for (const std::uint32_t place : table_.places_of(unit)) sum += weights[place];
    for (const std::uint32_t place : table_.places_of(unit))
      shares_[place] = costs_[unit] * weights[place] / sum;
  }
  work_.spend(10 * shares_.size());
}

// The cheapest units for every number of further tasks, of rising cost.
void DivisionBound::list_points(std::uint32_t number) {
  const OfferTable::Node& node = table_.nodes()[number];
  const Limits& limits = nodes_[number].limits;
  OfferTable::Mask stays = 0;
  OfferTable::Mask gone = 0;
  for (std::uint32_t place = node.first_unit; place < node.end_unit; ++place) {
    const Fixing fixing = fixings_[table_.places()[place].unit];
    if (fixing == Fixing::open) continue;
    (fixing == Fixing::gone ? gone : stays) |= OfferTable::Mask{1} << (place - node.first_unit);
  }
  points_.clear();
  for (const OfferTable::Offer& offer : table_.offers(node)) {
    if ((offer.units & stays) != 0 || offer.tasks < limits.least || offer.tasks > limits.most) continue;
    Point point{offer.tasks, 0, offer.units};
    for (OfferTable::Mask left = offer.units & ~gone; left != 0; left &= left - 1)
      point.cost += shares_[node.first_unit + static_cast<std::uint32_t>(std::countr_zero(left))];
    // Offers are in the order of their tasks. One with more tasks for no more is as good.
    while (!points_.empty() && points_.back().cost >= point.cost &&
           (points_.back().tasks < point.tasks || points_.back().cost > point.cost))
      points_.pop_back();
    if (points_.empty() || points_.back().tasks < point.tasks) points_.push_back(point);
  }
  work_.spend(1 + (node.end - node.first) + (node.end_unit - node.first_unit) / 2);
}

// The lower convex hull of the points. False if the node cannot take what it must.
bool DivisionBound::list_edges(std::uint32_t number) {
  NodeState& state = nodes_[number];
  state.first_slope = kNoSet;
  state.is_taken = false;
  list_points(number);
  Point last;
  std::size_t next = 0;
  if (state.limits.least > 0) {
    if (points_.empty()) return false;
    last = points_[next++];
    base_ += last.cost;
    base_tasks_ += last.tasks;
    take(number, last.units);
  }
  // The first slope is the least cost per task of any point.
  while (next < points_.size()) {
    std::size_t best = next;
    for (std::size_t i = next + 1; i < points_.size(); ++i) {
      if ((points_[i].cost - last.cost) * (points_[best].tasks - last.tasks) <=
          (points_[best].cost - last.cost) * (points_[i].tasks - last.tasks))
        best = i;
    }
    const std::uint32_t tasks = points_[best].tasks - last.tasks;
    const Total slope = (points_[best].cost - last.cost) / tasks;
    if (state.first_slope == kNoSet) state.first_slope = slope;
    edges_.push_back({slope, tasks, points_[best].tasks, number, points_[best].units});
    last = points_[best];
    next = best + 1;
  }
  return true;
}

void DivisionBound::take(std::uint32_t node, OfferTable::Mask units) {
  NodeState& state = nodes_[node];
  if (!state.is_taken) taken_nodes_.push_back(node);
  state.is_taken = true;
  state.taken = units;
}

// Adds up what the nodes taken pay for each unit.
void DivisionBound::charge() {
  for (const std::uint32_t number : taken_nodes_) {
    const OfferTable::Node& node = table_.nodes()[number];
    for (OfferTable::Mask left = nodes_[number].taken; left != 0; left &= left - 1) {
      const std::uint32_t place = node.first_unit + static_cast<std::uint32_t>(std::countr_zero(left));
      const Unit unit = table_.places()[place].unit;
      if (fixings_[unit] != Fixing::open) continue;
      if (times_taken_[unit]++ == 0) taken_units_.push_back(unit);
      charged_[unit] += shares_[place];
    }
  }
}

Total DivisionBound::evaluate() {
  for (const Unit unit : taken_units_) {
    times_taken_[unit] = 0;
    charged_[unit] = 0;
  }
  taken_units_.clear();
  taken_nodes_.clear();
  edges_.clear();
  base_ = 0;
  base_tasks_ = 0;
  split_ = kNoNode;
  highest_ = 0;
  value_ = kNoSet;
  for (const std::uint32_t node : live_) {
    if (!list_edges(node)) return value_;
  }
  std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return a.slope != b.slope ? a.slope < b.slope : std::pair(a.node, a.upto) < std::pair(b.node, b.upto);
  });
  work_.spend(2 + 4 * edges_.size());
  std::uint64_t left = tasks_ - std::min(tasks_, base_tasks_);
  Total sum = gone_cost_ + base_;
  for (const Edge& edge : edges_) {
    if (left == 0) break;
    const std::uint64_t tasks = std::min<std::uint64_t>(left, edge.tasks);
    sum += edge.slope * static_cast<Total>(tasks);
    left -= tasks;
    highest_ = edge.slope;
    take(edge.node, edge.units);
    if (tasks == edge.tasks) continue;
    split_ = edge.node;
    split_tasks_ = edge.upto;
  }
  if (left > 0) return value_;
  charge();
  return value_ = sum;
}

// Moves a part of what each unit costs from nodes that are not taken to those that are. The step is such that
// the bound would reach `most` if it rose all the way as it does at first.
bool DivisionBound::improve(Total most, int damping) {
  Total norm = 0;
  for (const Unit unit : taken_units_) {
    const auto all = static_cast<Total>(table_.places_of(unit).size());
    const Total in = times_taken_[unit];
    if (in < all) norm += kFraction * in * (all - in) / all;
  }
  if (norm == 0 || most <= value_) return false;
  const Total step = (most - value_) * kFraction / norm;
  for (const Unit unit : taken_units_) move_shares(unit, step, damping);
  work_.spend(10 * taken_units_.size());
  return true;
}

void DivisionBound::move_shares(Unit unit, Total step, int damping) {
  const std::span<const std::uint32_t> places = table_.places_of(unit);
  const auto all = static_cast<Total>(places.size());
  const Total in = times_taken_[unit];
  if (in == all) return;
  const auto is_in = [&](std::uint32_t place) {
    const NodeState& state = nodes_[table_.places()[place].node];
    const std::uint32_t bit = place - table_.nodes()[table_.places()[place].node].first_unit;
    return state.is_taken && (state.taken >> bit & 1) != 0;
  };
  Total left = costs_[unit];
  std::uint32_t payer = places.front();
  for (const std::uint32_t place : places) {
    const bool taken = is_in(place);
    if (taken) payer = place;
    shares_[place] = std::max<Total>(0, shares_[place] + (step * (taken ? all - in : -in) / all >> damping));
    left -= shares_[place];
  }
  // No more than the unit costs in all.
  while (left < 0) {
    Total payers = 0;
    for (const std::uint32_t place : places) payers += shares_[place] > 0 ? 1 : 0;
    const Total each = (payers - 1 - left) / payers;
    for (const std::uint32_t place : places) {
      const Total less = std::min(each, shares_[place]);
      shares_[place] -= less;
      left += less;
    }
  }
  shares_[payer] += left;  // what was rounded off
}

std::vector<DivisionBound::Unit> DivisionBound::units_taken() const {
  std::vector<Unit> units = gone_;
  units.insert(units.end(), taken_units_.begin(), taken_units_.end());
  return units;
}

Total DivisionBound::cost(const std::vector<Unit>& units) const {
  Total sum = 0;
  for (const Unit unit : units) sum += costs_[unit];
  return sum;
}

// How many further tasks the node takes without these units.
std::uint32_t DivisionBound::tasks_of(std::uint32_t number, const std::vector<bool>& gone) const {
  const OfferTable::Node& node = table_.nodes()[number];
  OfferTable::Mask here = 0;
  for (std::uint32_t place = node.first_unit; place < node.end_unit; ++place) {
    if (gone[table_.places()[place].unit]) here |= OfferTable::Mask{1} << (place - node.first_unit);
  }
  std::uint32_t tasks = 0;
  for (const OfferTable::Offer& offer : table_.offers(node)) {
    if ((offer.units & ~here) == 0) tasks = std::max(tasks, offer.tasks);
  }
  work_.spend(1 + (node.end - node.first) / 2 + (node.end_unit - node.first_unit) / 2);
  return tasks;
}

std::vector<DivisionBound::Unit> DivisionBound::needed_units() const {
  std::vector<Unit> units = units_taken();
  std::vector<bool> gone(table_.units(), false);
  for (const Unit unit : units) gone[unit] = true;
  std::vector<std::uint32_t> on;
  for (const Unit unit : units) {
    for (const std::uint32_t place : table_.places_of(unit)) on.push_back(table_.places()[place].node);
  }
  std::sort(on.begin(), on.end());
  on.erase(std::unique(on.begin(), on.end()), on.end());
  std::uint64_t sum = 0;
  for (const std::uint32_t node : on) sum += tasks_of(node, gone);
  std::sort(units.begin(), units.end(),
            [&](Unit a, Unit b) { return costs_[a] != costs_[b] ? costs_[a] > costs_[b] : a > b; });
  std::vector<Unit> needed;
  for (const Unit unit : units) {
    std::uint64_t with = 0;
    std::uint64_t without = 0;
    for (const std::uint32_t place : table_.places_of(unit))
      with += tasks_of(table_.places()[place].node, gone);
    gone[unit] = false;
    for (const std::uint32_t place : table_.places_of(unit))
      without += tasks_of(table_.places()[place].node, gone);
    if (sum - (with - without) >= tasks_) {
      sum -= with - without;
    } else {
      gone[unit] = true;
      needed.push_back(unit);
    }
  }
  work_.spend(table_.units() / 16 + 10 * units.size());
  return needed;
}

DivisionBound::Unit DivisionBound::distorted(bool& mostly_charged) const {
  Unit out = kNoNode;
  Total most = 0;
  for (const Unit unit : taken_units_) {
    const Total left = costs_[unit] - charged_[unit];
    // Rounding down leaves a little of every unit.
    if (left <= static_cast<Total>(table_.places_of(unit).size()) || left < most) continue;
    if (left == most && unit > out) continue;
    most = left;
    out = unit;
  }
  if (out != kNoNode) mostly_charged = charged_[out] >= most;
  return out;
}

DivisionBound::Unit DivisionBound::costliest(const std::function<bool(Unit)>& claim) const {
  Unit out = kNoNode;
  for (const Unit unit : taken_units_) {
    if (!claim(unit)) continue;
    if (out == kNoNode || costs_[unit] > costs_[out] || (costs_[unit] == costs_[out] && unit < out))
      out = unit;
  }
  return out;
}

Total DivisionBound::with_node(std::uint32_t node) const {
  const NodeState& state = nodes_[node];
  if (state.is_taken || value_ == kNoSet) return value_;
  if (state.dropped || state.first_slope == kNoSet) return kNoSet;
  return value_ + std::max<Total>(0, state.first_slope - highest_);
}

Total DivisionBound::with_node_of(Unit unit) const {
  Total least = kNoSet;
  for (const std::uint32_t place : table_.places_of(unit))
    least = std::min(least, with_node(table_.places()[place].node));
  return least;
}

void DivisionBound::fix(Unit unit, Fixing fixing) {
  if (fixings_[unit] == Fixing::gone) {
    gone_cost_ -= costs_[unit];
    std::erase(gone_, unit);
  }
  fixings_[unit] = fixing;
  if (fixing != Fixing::gone) return;
  gone_cost_ += costs_[unit];
  gone_.push_back(unit);
}

// What the node pays goes to the other nodes of its units.
void DivisionBound::drop(std::uint32_t number) {
  nodes_[number].dropped = true;
  const OfferTable::Node& node = table_.nodes()[number];
  for (std::uint32_t place = node.first_unit; place < node.end_unit; ++place) {
    const std::span<const std::uint32_t> places = table_.places_of(table_.places()[place].unit);
    const auto is_live = [&](std::uint32_t each) { return !nodes_[table_.places()[each].node].dropped; };
    const auto others = std::count_if(places.begin(), places.end(), is_live);
    const Total share = std::exchange(shares_[place], 0);
    for (const std::uint32_t each : places) {
      if (is_live(each)) shares_[each] += share / static_cast<Total>(others);
    }
  }
}

}  // namespace cede
