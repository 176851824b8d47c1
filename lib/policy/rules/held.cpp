// SPDX-License-Identifier: MIT
#include "policy/rules/held.h"

namespace cede {

bool Held::excludes(const Unit& unit, std::string* why) const {
  for (const TaskId task : unit.tasks) {
    if (!asking_.in_flight.is_leaving(task)) continue;
    if (why) *why = "it is giving way to another request already";
    return true;
  }
  return false;
}

}  // namespace cede
