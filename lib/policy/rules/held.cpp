// SPDX-License-Identifier: MIT
#include "policy/rules/held.h"

namespace cede {

bool Held::excludes(const Unit& unit, std::string* why) const {
  const InFlight::Hold* hold = asking_.in_flight.hold(unit.job);
  if (hold && (hold->ready || unit.hold == 0)) {
    if (why)
      *why = hold->ready ? "space was made for it, and it is about to start"
                         : "space is being made for more of its tasks";
    return true;
  }
  for (const TaskId task : unit.tasks) {
    if (!asking_.in_flight.is_leaving(task)) continue;
    if (why) *why = "it is giving way to another request already";
    return true;
  }
  return false;
}

bool Held::may_exclude() const {
  return !asking_.in_flight.holds.empty() || !asking_.in_flight.leaving.empty();
}

}  // namespace cede
