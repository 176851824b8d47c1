// SPDX-License-Identifier: MIT
#include "policy/rules/fence.h"

#include "base/text.h"
#include "policy/guarantees.h"

namespace cede {

Fence::Fence(const Asking& asking)
    : EligibilityRule(asking),
      top_(asking.requester() && !for_required_node(asking) ? fence_of(asking) : QueueId{}) {}

bool Fence::excludes(const Unit& unit, std::string* why) const {
  if (!top_ || model().is_below(queue_of(unit), top_)) return false;
  if (why) {
    *why = "queue " + quote(model().name(model().queues[queue_of(unit)].name)) + " is outside the fence of " +
           quote(model().name(model().queues[top_].name));
  }
  return true;
}

}  // namespace cede
