// SPDX-License-Identifier: MIT
#include "policy/rules/min_runtime.h"

#include <algorithm>

namespace cede {

bool MinRuntime::excludes(const Unit& unit, std::string* why) const {
  const Duration least = asking_.effective.setting(Setting::min_runtime, queue_of(unit));
  const Duration ran = std::max<Duration>(0, asking_.now - asking_.effective.running_since(unit));
  if (ran >= least) return false;
  if (why)
    *why = "it has run for " + format_duration(ran) + ", less than min_runtime " + format_duration(least);
  return true;
}

bool MinRuntime::may_exclude() const {
  return any_queue([&](QueueId queue) { return asking_.effective.setting(Setting::min_runtime, queue) > 0; });
}

}  // namespace cede
