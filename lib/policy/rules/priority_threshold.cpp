// SPDX-License-Identifier: MIT
#include "policy/rules/priority_threshold.h"

namespace cede {

bool PriorityThreshold::spares(const UnitRow& row) const {
  return row.unit.priority > asking_.effective.setting(Setting::preemptible_priority, row.job.queue);
}

bool PriorityThreshold::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  if (why) {
    const std::int64_t most = asking_.effective.setting(Setting::preemptible_priority, queue_of(unit));
    *why = "its priority " + std::to_string(unit.priority) + " is above preemptible_priority " +
           std::to_string(most);
  }
  return true;
}

}  // namespace cede
