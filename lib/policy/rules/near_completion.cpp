// SPDX-License-Identifier: MIT
#include "policy/rules/near_completion.h"

#include <algorithm>

namespace cede {

Duration NearCompletion::left(const Unit& unit, Duration walltime) const {
  return asking_.effective.running_since(unit) + walltime - asking_.now;
}

bool NearCompletion::spares(const UnitRow& row) const {
  const Duration walltime = model().job_times[row.unit.job.value].walltime;
  return walltime != kNoDuration &&
         left(row.unit, walltime) <=
             asking_.effective.setting(Setting::near_completion_threshold, row.job.queue);
}

bool NearCompletion::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  if (why) {
    const Duration left = this->left(unit, model().job_times[unit.job.value].walltime);
    const Duration threshold = asking_.effective.setting(Setting::near_completion_threshold, queue_of(unit));
    *why = "it has " + format_duration(std::max<Duration>(0, left)) +
           " of its walltime left, near_completion_threshold is " + format_duration(threshold);
  }
  return true;
}

}  // namespace cede
