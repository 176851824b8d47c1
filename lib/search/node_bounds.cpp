// SPDX-License-Identifier: MIT
#include "search/node_bounds.h"

#include "base/bits.h"

#include <algorithm>

namespace cede {

namespace {

constexpr Total kLargest = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::int64_t UnitPrices::ask(const Unit& unit) const { return eligible_(unit) ? price_.of(unit) : kStays; }

void UnitPrices::work_out_all() {
  const std::span<const Unit* const> units = terms_.group_index.units();
  std::vector<std::int64_t> prices(units.size());
  const std::size_t pieces = (units.size() + kUnitsAtOnce - 1) / kUnitsAtOnce;
  each_piece(workers_for(terms_.workers, units.size()), pieces, [&](std::size_t piece) {
    const std::size_t end = std::min(units.size(), (piece + 1) * kUnitsAtOnce);
    for (std::size_t i = piece * kUnitsAtOnce; i < end; ++i) prices[i] = ask(*units[i]);
  });
  by_slot_ = std::move(prices);
}

NodeBounds::NodeBounds(const CapacityModel& capacity_model, const UnitPrices& prices, std::size_t most_units)
    : capacity_model_(capacity_model),
      prices_(prices),
      most_units_(most_units),
      width_(capacity_model.asked_.size() + 1),
      lack_(width_),
      sums_(width_) {}

void NodeBounds::learn(ShapeId shape, Gains& out) const {
  const ResourceView view = capacity_model_.context_.model().shape(shape);
  out.amounts.clear();
  for (const ResourceAmount& asked : capacity_model_.asked_)
    out.amounts.push_back(amount_of(view, asked.resource));
  out.shape = shape;
}

// What a task of this shape frees of each resource asked for.
inline const Total* NodeBounds::gains_of(ShapeId shape) {
  Gains& known = by_shape_[shape % by_shape_.size()];
  if (known.shape != shape) learn(shape, known);
  return known.amounts.data();
}

// Adds a candidate. The caller adds what it frees to the returned row.
inline Total* NodeBounds::add(const Unit& unit, std::int64_t price) {
  const std::size_t at = units_.size() * width_;
  units_.push_back({&unit, price});
  if (gains_.size() < at + width_) gains_.resize(2 * (at + width_));
  for (std::size_t r = 0; r < width_; ++r) gains_[at + r] = 0;
  return &gains_[at];
}

// Lists the candidates on the node with what each frees there. False if only a search can tell.
bool NodeBounds::list(std::uint32_t node, bool counts_devices) {
  units_.clear();
  std::fill(sums_.begin(), sums_.end(), 0);
  for (const Occupant& occupant : capacity_model_.occupants(node)) {
    const std::int64_t price = prices_.of(*occupant.unit);
    if (price == UnitPrices::kStays) continue;
    if (price < 0) return false;
    // A unit with one task occurs once.
    std::size_t at = occupant.unit->tasks.size() == 1 ? units_.size() : 0;
    while (at < units_.size() && units_[at].unit != occupant.unit) ++at;
    if (at == units_.size() && at == most_units_) return false;
    Total* const to = at == units_.size() ? add(*occupant.unit, price) : &gains_[at * width_];
    const Total* const amounts = gains_of(occupant.resources);
    for (std::size_t r = 0; r + 1 < width_; ++r) {
      to[r] += amounts[r];
      sums_[r] += amounts[r];
    }
    if (!counts_devices) continue;
    to[width_ - 1] += occupant.devices;
    sums_[width_ - 1] += occupant.devices;
  }
  return true;
}

// If all other units together free too little, a unit is in every set. Takes these units and returns their
// price.
Total NodeBounds::take_the_needed() {
  Total price = 0;
  for (std::size_t r = 0; r < width_; ++r) sums_[r] -= lack_[r];  // what may stay in use
  for (std::size_t i = 0; i < units_.size(); ++i) {
    for (std::size_t r = 0; r < width_ && !units_[i].needed; ++r) units_[i].needed = gain(i, r) > sums_[r];
    if (!units_[i].needed) continue;
    price += units_[i].price;
    for (std::size_t r = 0; r < width_; ++r) lack_[r] -= gain(i, r);
  }
  return price;
}

// A lower bound on the price of the other units if only this resource were lacking: at least that of the
// cheapest unit that frees any of it, and at least that of a fractional cover.
Total NodeBounds::least_cover(std::size_t resource) {
  order_.clear();
  Total least = kLargest;
  for (std::uint32_t i = 0; i < units_.size(); ++i) {
    if (units_[i].needed || gain(i, resource) == 0) continue;
    if (gain(i, resource) > kLargest) return 0;  // the products below could overflow
    least = std::min<Total>(least, units_[i].price);
    order_.push_back(i);
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return units_[a].price * gain(b, resource) < units_[b].price * gain(a, resource);
  });
  Total left = lack_[resource];
  Total parts = 0;
  for (const std::uint32_t i : order_) {
    if (gain(i, resource) >= left) {
      parts += units_[i].price * left / gain(i, resource);
      break;
    }
    parts += units_[i].price;
    left -= gain(i, resource);
  }
  return std::max(least, parts);
}

bool NodeBounds::tells(const CapacityModel& capacity_model) {
  return !capacity_model.about_devices_ && !capacity_model.arranger_.sharing_matters();
}

NodeBounds::Answer NodeBounds::of(std::uint32_t node) {
  using Kind = Answer::Kind;
  if (!capacity_model_.may_use(node)) return {};
  const NodeSpace& here = capacity_model_.space_.node(node);
  if (!capacity_model_.is_plain(here)) return {Kind::unknown};
  const std::size_t devices = width_ - 1;
  const bool counts_devices = here.devices > 0 && capacity_model_.allocator_.whole() > 0;
  if (!list(node, counts_devices)) return {Kind::unknown};
  if (units_.empty()) return {};
  for (std::size_t r = 0; r < devices; ++r)
    lack_[r] = capacity_model_.asked_[r].amount - here.free[capacity_model_.asked_[r].resource];
  lack_[devices] = counts_devices ? Total{capacity_model_.allocator_.whole()} + here.unknown -
                                        count_bits(here.free_devices())
                                  : 0;
  for (std::size_t r = 0; r < width_; ++r) {
    lack_[r] = std::max<Total>(lack_[r], 0);
    if (lack_[r] > sums_[r]) return {};
  }
  const Total needed = take_the_needed();
  Total others = 0;
  for (std::size_t r = 0; r < width_; ++r) {
    if (lack_[r] > 0) others = std::max(others, least_cover(r));
  }
  return {Kind::at_least, static_cast<std::int64_t>(std::min(kLargest, needed + others))};
}

}  // namespace cede
