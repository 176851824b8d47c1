// SPDX-License-Identifier: MIT
#include "search/node_bounds.h"

#include <algorithm>
#include <numeric>

#include "base/bits.h"

namespace cede {

namespace {

void make_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::vector<const Unit*> units_on(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
                                  const std::vector<std::uint32_t>& nodes) {
  std::vector<const Unit*> units;
  if (nodes.size() == problem.space.size()) {
    // The group index already has all units, in this order and once each.
    const auto somewhere = [&](const Unit* unit) {
      return std::any_of(unit->tasks.begin(), unit->tasks.end(), [&](TaskId task) {
        return problem.space.usable(
            problem.space.index_of(problem.rule_context.model().tasks.core(task).node));
      });
    };
    units.reserve(problem.group_index.units().size());
    for (const Unit* unit : problem.group_index.units()) {
      if (somewhere(unit) && eligible(*unit)) units.push_back(unit);
    }
    return units;
  }
  for (const std::uint32_t node : nodes) {
    if (!problem.space.usable(node)) continue;
    for (const Occupant& occupant : problem.group_index.occupants(node)) units.push_back(occupant.unit);
  }
  std::sort(units.begin(), units.end(), [](const Unit* a, const Unit* b) { return a->slot < b->slot; });
  units.erase(std::unique(units.begin(), units.end()), units.end());
  std::erase_if(units, [&](const Unit* unit) { return !eligible(*unit); });
  return units;
}

}  // namespace

// Whether comparing and counting work as before. What a unit frees is measured in fractions of the capacity,
// and an interned id may have a new meaning.
bool NodeChangeTracker::is_same(const SearchProblem& problem) {
  const RuleContext& rule_context = problem.rule_context;
  const Model& model = rule_context.model();
  std::vector<Total> capacity;
  for (std::uint32_t r = 0; r < rule_context.usage.resources(); ++r)
    capacity.push_back(rule_context.usage.capacity(r));
  const ResourceView shape = model.shape(rule_context.request.tasks.front().resources);
  const RequirementId id = model.job_extras[rule_context.request.job.value].require;
  std::shared_ptr<const Requirement> require = id ? model.requirements[id.value] : nullptr;
  const bool same = capacity == capacity_ && require == require_ &&
                    std::equal(shape.begin(), shape.end(), asked_.begin(), asked_.end());
  capacity_ = std::move(capacity);
  require_ = std::move(require);
  asked_.assign(shape.begin(), shape.end());
  return same;
}

// What is blocked or held for other requests changes without a change to the node or its jobs.
std::vector<std::uint32_t> NodeChangeTracker::in_flight_nodes(const SearchProblem& problem) const {
  const RuleContext& rule_context = problem.rule_context;
  const Model& model = rule_context.model();
  std::vector<std::uint32_t> out;
  for (const NodeId node : rule_context.in_flight.nodes_that_differ(in_flight_, model)) {
    if (node.value >= model.nodes.id_bound() || !model.nodes.is_live(node)) continue;
    if (model.nodes[node].group == rule_context.group()) out.push_back(problem.space.index_of(node));
  }
  return out;
}

std::vector<std::uint32_t> NodeChangeTracker::changed(const SearchProblem& problem, bool& everything) {
  std::vector<std::uint32_t> nodes;
  everything = !is_same(problem) || !begun_ || seen_ < group_index_.forgotten();
  if (everything) {
    nodes.resize(group_index_.nodes().size());
    std::iota(nodes.begin(), nodes.end(), 0);
  } else {
    nodes = in_flight_nodes(problem);
    for (std::uint64_t at = seen_; at < group_index_.touched_end(); ++at)
      nodes.push_back(group_index_.touched(at));
    make_unique(nodes);
  }
  begun_ = true;
  seen_ = group_index_.touched_end();
  in_flight_ = problem.rule_context.in_flight.without_history();
  return nodes;
}

NodeCandidates::NodeCandidates(const SearchProblem& problem, const Eligible& eligible,
                               const std::vector<std::uint32_t>& nodes,
                               std::vector<CandidateScores::Index>& book)
    : scores(problem.objective, units_on(problem, eligible, nodes)),
      capacity_model(problem.rule_context, problem.placer, problem.group_index, problem.space, scores,
                     &book) {}

namespace {

constexpr Total kLargest = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::int64_t UnitPrices::ask(const Unit& unit) const { return eligible_(unit) ? price_.of(unit) : kStays; }

void UnitPrices::work_out_all() {
  const std::span<const Unit* const> units = problem_.group_index.units();
  std::vector<std::int64_t> prices(units.size());
  const std::size_t pieces = (units.size() + kUnitsAtOnce - 1) / kUnitsAtOnce;
  each_piece(workers_for(problem_.workers, units.size()), pieces, [&](std::size_t piece) {
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
Total NodeBounds::take_needed_units() {
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
  const Total needed = take_needed_units();
  Total others = 0;
  for (std::size_t r = 0; r < width_; ++r) {
    if (lack_[r] > 0) others = std::max(others, least_cover(r));
  }
  return {Kind::at_least, static_cast<std::int64_t>(std::min(kLargest, needed + others))};
}

}  // namespace cede
