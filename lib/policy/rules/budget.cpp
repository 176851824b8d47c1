// SPDX-License-Identifier: MIT
#include "policy/rules/budget.h"

#include <algorithm>

namespace cede {

namespace {

void sooner(Time& when, Time other) {
  if (other != kNoTime) when = when == kNoTime ? other : std::min(when, other);
}

std::string text(std::string_view what, Time when) {
  std::string out = "the limit of " + std::string(what) + " within the window is used up";
  return when == kNoTime ? out : out + "; more is allowed at " + format_time(when);
}

}  // namespace

bool Budget::refuses(std::string* why) const {
  const Allowance& allowed = asking_.allowance;
  if (allowed.bounds_lost_work && allowed.lost_work.left == 0) {
    if (why) *why = text("lost work", allowed.lost_work.free_at);
    return true;
  }
  if (!allowed.bounds_queues && !allowed.bounds_users) return false;
  Time when = kNoTime;
  bool any = false;
  for (const Unit* each : asking_.units) {
    const Unit& unit = *each;
    if (unit.hold != 0) return false;
    any = true;
    const NameId user = model().job_owners[unit.job.value].user;
    const auto queue = allowed.of_queue(model().jobs[unit.job].queue);
    const auto owner = allowed.of_user(user);
    const bool queue_left = !allowed.bounds_queues || queue.left > 0;
    const bool user_left = !allowed.bounds_users || user == kNoName || owner.left > 0;
    if (queue_left && user_left) return false;
    sooner(when, queue_left  ? owner.free_at
                 : user_left ? queue.free_at
                             : std::max(queue.free_at, owner.free_at));
  }
  if (!any) return false;
  if (why) *why = text("preemptions of every queue or user that runs", when);
  return true;
}

}  // namespace cede
