// SPDX-License-Identifier: MIT
#include "policy/rules/aggressive_only.h"

#include "policy/fair_standing.h"

namespace cede {

bool AggressiveOnly::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester() || asking_.fair->tier(unit) != TaskTier::aggressively_preemptible) return false;
  if (asking_.fair->starvation(asking_.requester()) == Starvation::aggressively_starving) return false;
  if (why) *why = "it is within its job's fair share, and the requester does not starve aggressively";
  return true;
}

}  // namespace cede
