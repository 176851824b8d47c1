// SPDX-License-Identifier: MIT
#include "policy/rules/starving_victim.h"

#include "policy/fair_standing.h"

namespace cede {

bool StarvingVictim::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester() || asking_.effective.flag(Setting::allow_preemption_from_starving, queue_of(unit)))
    return false;
  if (asking_.fair->starvation(unit.job) == Starvation::non_starving) return false;
  if (why) *why = "its job starves itself";
  return true;
}

}  // namespace cede
