// SPDX-License-Identifier: MIT
#include "policy/rules/preempted_often.h"

namespace cede {

bool PreemptedOften::excludes(const Unit& unit, std::string* why) const {
  const std::int64_t most = asking_.effective.setting(Setting::max_preempted_count, queue_of(unit));
  const std::uint32_t count = model().job_extras[unit.job.value].preempted_count;
  if (most == kNoSetting || count < most) return false;
  if (why) {
    *why = "it was preempted " + std::to_string(count) + " times already, max_preempted_count is " +
           std::to_string(most);
  }
  return true;
}

bool PreemptedOften::may_exclude() const {
  return any_queue([&](QueueId queue) {
    return asking_.effective.setting(Setting::max_preempted_count, queue) != kNoSetting;
  });
}

}  // namespace cede
