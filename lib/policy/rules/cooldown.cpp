// SPDX-License-Identifier: MIT
#include "policy/rules/cooldown.h"

#include <algorithm>

namespace cede {

bool Cooldown::excludes(const Unit& unit, std::string* why) const {
  const Time resumed = model().job_spells[unit.job.value].resumed;
  const Duration cooldown = asking_.effective.policies().limits.cooldown;
  if (resumed == kNoTime || cooldown == 0 || asking_.now - resumed >= cooldown) return false;
  if (why) {
    *why = "it resumed " + format_duration(std::max<Duration>(0, asking_.now - resumed)) +
           " ago, the cooldown is " + format_duration(cooldown);
  }
  return true;
}

bool Cooldown::may_exclude() const { return asking_.effective.policies().limits.cooldown != 0; }

}  // namespace cede
