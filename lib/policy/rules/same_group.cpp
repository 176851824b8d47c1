// SPDX-License-Identifier: MIT
#include "policy/rules/same_group.h"

#include "base/text.h"

namespace cede {

bool SameGroup::excludes(const Unit& unit, std::string* why) const {
  const GroupId group = model().jobs[unit.job].group;
  if (group == asking_.group()) return false;
  if (why) *why = "the job is in group " + quote(model().name(model().groups[group].name));
  return true;
}

}  // namespace cede
