// SPDX-License-Identifier: MIT
#include "policy/rules/queue_off.h"

#include "base/text.h"

namespace cede {

bool QueueOff::excludes(const Unit& unit, std::string* why) const {
  const QueueId queue = queue_of(unit);
  if (asking_.effective.preemption_on(queue)) return false;
  if (why) *why = "preemption is off for queue " + quote(model().name(model().queues[queue].name));
  return true;
}

bool QueueOff::may_exclude() const {
  return any_queue([&](QueueId queue) { return !asking_.effective.preemption_on(queue); });
}

}  // namespace cede
