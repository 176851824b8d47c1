// SPDX-License-Identifier: MIT
#include "policy/rules/measures.h"

#include <algorithm>
#include <limits>

#include "policy/class_price.h"
#include "policy/composition.h"
#include "policy/shares/starvation.h"

namespace cede {

std::int64_t AggressiveCount::of(const Unit& unit) const {
  return context_.fair->tier(unit) == TaskTier::preemptible ? 0 : 1;
}

std::int64_t CheckpointPrice::of(const Unit& unit) const { return checkpoint_price(context_, unit); }

std::int64_t ClassCounts::of(const Unit& unit) const { return context_.effective.job_class(unit.job); }

namespace {

constexpr Total kBillion = 1'000'000'000;

}  // namespace

Freed::Freed(const RuleContext& rule_context, std::string_view name)
    : Measure(rule_context, Kind::sum), name_(name), by_shape_(rule_context.model().shapes.id_bound()) {
  for (auto& each : by_shape_) each.store(-1, std::memory_order_relaxed);
  const std::size_t resources = rule_context.usage.resources();
  std::vector<bool> counts(resources, rule_context.request.tasks.empty());
  ShapeId seen = kNoShape;
  for (const RequestTask& task : rule_context.request.tasks) {
    if (task.resources == std::exchange(seen, task.resources)) continue;
    for (const ResourceAmount& entry : rule_context.model().shape(task.resources))
      counts[entry.resource] = true;
  }
  // Relief and claims request no amounts, so everything that a unit holds counts.
  for (std::uint32_t r = 0; r < resources; ++r) {
    if (counts[r] && rule_context.usage.capacity(r) != 0)
      counted_.push_back({r, rule_context.usage.capacity(r)});
  }
}

std::int64_t Freed::of(const Unit& unit) const {
  if (unit.tasks.size() != 1) return of_amounts(unit);
  std::atomic<std::int64_t>& known = by_shape_[model().tasks.core(unit.tasks.front()).resources];
  std::int64_t value = known.load(std::memory_order_relaxed);
  if (value < 0) {
    value = of_amounts(unit);
    known.store(value, std::memory_order_relaxed);
  }
  return value;
}

std::int64_t Freed::of_amounts(const Unit& unit) const {
  Total parts = 0;
  for (const Counted& counted : counted_) {
    Total sum = 0;
    for (const TaskId task : unit.tasks)
      sum += amount_of(model().shape(model().tasks.core(task).resources), counted.resource);
    parts += (sum * kBillion + counted.capacity - 1) / counted.capacity;
  }
  return static_cast<std::int64_t>(std::min<Total>(parts, std::numeric_limits<std::int64_t>::max()));
}

std::int64_t WorkLost::of(const Unit& unit) const { return lost_work(context_, unit); }

std::int64_t Originators::of(const Unit& unit) const {
  return std::count_if(unit.tasks.begin(), unit.tasks.end(),
                       [&](TaskId task) { return model().tasks.extras(task).originator; });
}

Dependencies Price::depends_on() const {
  return {class_price_never_falls(context_) ? Dependency::time_worsens : Dependency::time};
}

std::int64_t Price::of(const Unit& unit) const { return class_price_sum(context_, unit); }

}  // namespace cede
