// SPDX-License-Identifier: MIT
#include "policy/rules/lower_priority.h"

namespace cede {

bool LowerPriority::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester()) return false;
  const std::int32_t own = asking_.effective.priority(asking_.requester());
  if (unit.priority < own) return false;
  if (why) {
    *why = "its priority " + std::to_string(unit.priority) + " is not below the requester's " +
           std::to_string(own);
  }
  return true;
}

}  // namespace cede
