// SPDX-License-Identifier: MIT
#include "policy/rules/priority_threshold.h"

namespace cede {

bool PriorityThreshold::excludes(const Unit& unit, std::string* why) const {
  const std::int64_t most = asking_.effective.setting(Setting::preemptible_priority, queue_of(unit));
  if (unit.priority <= most) return false;
  if (why) {
    *why = "its priority " + std::to_string(unit.priority) + " is above preemptible_priority " +
           std::to_string(most);
  }
  return true;
}

}  // namespace cede
