// SPDX-License-Identifier: MIT
#include "policy/rules/aggressive_forbidden.h"

#include "policy/fair_standing.h"

namespace cede {

bool AggressiveForbidden::excludes(const Unit& unit, std::string* why) const {
  if (asking_.request.purpose == Purpose::relief_node) return false;
  if (asking_.fair->tier(unit) != TaskTier::aggressively_preemptible) return false;
  if (asking_.effective.flag(Setting::allow_aggressive_preemption, queue_of(unit))) return false;
  if (why) *why = "its queue does not allow aggressive preemption";
  return true;
}

}  // namespace cede
