// SPDX-License-Identifier: MIT
#include "policy/rules/near_completion.h"

#include <algorithm>

namespace cede {

bool NearCompletion::excludes(const Unit& unit, std::string* why) const {
  const Duration walltime = model().job_times[unit.job.value].walltime;
  if (walltime == kNoDuration) return false;
  const Duration left = asking_.effective.running_since(unit) + walltime - asking_.now;
  const Duration threshold = asking_.effective.setting(Setting::near_completion_threshold, queue_of(unit));
  if (left > threshold) return false;
  if (why) {
    *why = "it has " + format_duration(std::max<Duration>(0, left)) +
           " of its walltime left, near_completion_threshold is " + format_duration(threshold);
  }
  return true;
}

}  // namespace cede
