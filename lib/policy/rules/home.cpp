// SPDX-License-Identifier: MIT
#include "policy/rules/home.h"

#include "base/text.h"
#include "policy/borrowing.h"

namespace cede {

// Who has no nodes of his own is nowhere at home.
bool Home::may_exclude() const {
  return any_queue([&](QueueId queue) { return model().queues[queue].home_nodes > 0; });
}

bool Home::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.queue() || !asking_.effective.flag(Setting::protect_home, queue_of(unit))) return false;
  if (asking_.requester() && asking_.effective.job_class(asking_.requester()) == kSensitiveClass)
    return false;
  if (is_borrowed(model(), unit)) return false;
  for (const TaskId task : unit.tasks) {
    const NodeRow& node = model().nodes[model().tasks.core(task).node];
    if (!node.home || model().is_below(asking_.queue(), node.home)) continue;
    if (why) {
      *why = "node " + quote(model().name(node.name)) + " is the home of queue " +
             quote(model().name(model().queues[node.home].name)) + ", which it runs in";
    }
    return true;
  }
  return false;
}

}  // namespace cede
