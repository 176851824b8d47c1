// SPDX-License-Identifier: MIT
#include "policy/rules/lower_priority.h"

namespace cede {

LowerPriority::LowerPriority(const Asking& asking)
    : EligibilityRule(asking), own_(asking.requester() ? asking.effective.priority(asking.requester()) : 0) {}

bool LowerPriority::spares(const UnitRow& row) const {
  return asking_.requester() && row.unit.priority >= own_;
}

bool LowerPriority::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  if (why) {
    *why = "its priority " + std::to_string(unit.priority) + " is not below the requester's " +
           std::to_string(own_);
  }
  return true;
}

}  // namespace cede
