// SPDX-License-Identifier: MIT
#include "policy/held_amount.h"

#include <set>

namespace cede {

Total gpus_or_nodes(const Model& model, const Unit& unit) {
  if (unit.held >= 0) return unit.held;
  const std::uint32_t gpu = model.find_resource("gpu");
  Total held = 0;
  if (gpu != ResourceId::kNoValue) {
    for (const TaskId task : unit.tasks)
      held += amount_of(model.shape(model.tasks.core(task).resources), gpu);
  }
  if (held > 0) return held;
  if (unit.tasks.size() == 1) return kOne;
  std::set<std::uint32_t> nodes;
  for (const TaskId task : unit.tasks) nodes.insert(model.tasks.core(task).node.value);
  return static_cast<Total>(nodes.size()) * kOne;
}

}  // namespace cede
