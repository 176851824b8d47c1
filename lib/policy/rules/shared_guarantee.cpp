// SPDX-License-Identifier: MIT
#include "policy/rules/shared_guarantee.h"

#include "base/text.h"
#include "policy/guarantees.h"

namespace cede {

SharedGuarantee::SharedGuarantee(const Asking& asking)
    : EligibilityRule(asking),
      applies_(asking.requester() && !for_required_node(asking)),
      lowest_(applies_ ? lowest_justifying_queue(asking) : QueueId{}) {}

bool SharedGuarantee::excludes(const Unit& unit, std::string* why) const {
  if (!applies_ || within_leaf(asking_, queue_of(unit))) return false;
  if (!lowest_) {
    if (why) *why = "no queue on the requester's path lacks any of its guarantee";
    return true;
  }
  if (!model().is_below(queue_of(unit), lowest_)) return false;
  if (why) {
    *why = "it is below queue " + quote(model().name(model().queues[lowest_].name)) +
           ", whose guarantee the request would serve";
  }
  return true;
}

}  // namespace cede
