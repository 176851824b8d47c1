// SPDX-License-Identifier: MIT
#include "policy/rules/freed.h"

#include <algorithm>
#include <limits>

namespace cede {

namespace {

constexpr Total kBillion = 1'000'000'000;

}  // namespace

Freed::Freed(const Asking& asking, std::string_view name)
    : Measure(asking, Kind::sum), name_(name), capacity_(asking.usage.resources(), 0) {
  const auto counts = [&](std::uint32_t resource) { capacity_[resource] = asking.usage.capacity(resource); };
  for (const RequestTask& task : asking.request.tasks) {
    for (const ResourceAmount& entry : asking.model().shape(task.resources)) counts(entry.resource);
  }
  // Relief and claims ask for no amount: whatever a unit holds counts.
  if (asking.request.tasks.empty()) {
    for (std::uint32_t r = 0; r < capacity_.size(); ++r) counts(r);
  }
}

std::int64_t Freed::of(const Unit& unit) const {
  Total parts = 0;
  for (std::uint32_t r = 0; r < capacity_.size(); ++r) {
    if (capacity_[r] == 0) continue;
    Total sum = 0;
    for (const TaskId task : unit.tasks)
      sum += amount_of(model().shape(model().tasks.core(task).resources), r);
    parts += (sum * kBillion + capacity_[r] - 1) / capacity_[r];
  }
  return static_cast<std::int64_t>(std::min<Total>(parts, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace cede
