// SPDX-License-Identifier: MIT
#include "policy/rules/offset_priority.h"

#include "policy/guarantees.h"

namespace cede {

bool OffsetPriority::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester()) return false;
  const std::int64_t own =
      asking_.effective.priority(asking_.requester()) + asking_.effective.priority_offset(asking_.queue());
  const std::int64_t theirs = unit.priority + asking_.effective.priority_offset(queue_of(unit));
  const bool same_leaf = queue_of(unit) == asking_.queue() && !for_required_node(asking_);
  if (same_leaf ? theirs < own : theirs <= own) return false;
  if (why) {
    *why = "its priority " + std::to_string(theirs) + (same_leaf ? " is not below" : " is above") +
           " the requester's " + std::to_string(own);
  }
  return true;
}

}  // namespace cede
