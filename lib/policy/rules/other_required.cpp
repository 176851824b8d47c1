// SPDX-License-Identifier: MIT
#include "policy/rules/other_required.h"

#include <algorithm>

#include "policy/guarantees.h"

namespace cede {

bool OtherRequired::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester() || !for_required_node(asking_)) return false;
  const bool bound = std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    return model().tasks.extras(task).required_node != kNoName;
  });
  if (bound && why) *why = "it is bound to its node as well";
  return bound;
}

}  // namespace cede
