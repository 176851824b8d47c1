// SPDX-License-Identifier: MIT
#include "policy/rules/attempt_interval.h"

namespace cede {

bool AttemptInterval::refuses(std::string* why) const {
  const Time last = asking_.allowance.last_attempt;
  const Duration interval = asking_.effective.setting(Setting::attempt_interval, asking_.queue());
  if (!asking_.requester() || last == kNoTime || asking_.now - last >= interval) return false;
  if (why)
    *why = "it preempted last at " + format_time(last) + ", attempt_interval is " + format_duration(interval);
  return true;
}

}  // namespace cede
