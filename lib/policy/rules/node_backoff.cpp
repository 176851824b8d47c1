// SPDX-License-Identifier: MIT
#include "policy/rules/node_backoff.h"

namespace cede {

bool NodeBackoff::excludes(const Unit& unit, std::string* why) const {
  const Duration backoff = asking_.effective.setting(Setting::preemptive_scheduling_backoff, asking_.queue());
  if (!asking_.requester()) return false;
  for (const TaskId task : unit.tasks) {
    const NodeRow& node = model().nodes[model().tasks.core(task).node];
    const Time last = asking_.in_flight.last_commit(model().name(node.name));
    if (last == kNoTime || asking_.now - last >= backoff) continue;
    if (why)
      *why = "its node was preempted on at " + format_time(last) + ", the backoff is " +
             format_duration(backoff);
    return true;
  }
  return false;
}

}  // namespace cede
