// SPDX-License-Identifier: MIT
#include "policy/rules/protected_task.h"

#include "policy/fair_standing.h"

namespace cede {

bool ProtectedTask::excludes(const Unit& unit, std::string* why) const {
  if (asking_.request.purpose == Purpose::relief_node) return false;
  if (asking_.fair->tier(unit) != TaskTier::non_preemptible) return false;
  if (why) *why = "it is within the protected part of its job's fair share";
  return true;
}

}  // namespace cede
