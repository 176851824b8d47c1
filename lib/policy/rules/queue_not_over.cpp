// SPDX-License-Identifier: MIT
#include "policy/rules/queue_not_over.h"

#include "policy/guarantees.h"

namespace cede {

bool QueueNotOver::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester() || for_required_node(asking_) || within_leaf(asking_, queue_of(unit)))
    return false;
  if (!why) return alone_loses_guarantee(asking_, unit);
  const Unit* const alone = &unit;
  return loses_guarantee(asking_, {&alone, 1}, why);
}

}  // namespace cede
