// SPDX-License-Identifier: MIT
#include "policy/rules/no_lower_priority.h"

#include <algorithm>

namespace cede {

bool NoLowerPriority::refuses(std::string* why) const {
  if (!asking_.requester()) return false;
  const std::int32_t own = asking_.effective.priority(asking_.requester());
  const bool any = std::any_of(asking_.units.begin(), asking_.units.end(), [&](const Unit* unit) {
    return unit->job != asking_.requester() && unit->priority < own;
  });
  if (any) return false;
  if (why) *why = "no running job has a priority below " + std::to_string(own);
  return true;
}

}  // namespace cede
