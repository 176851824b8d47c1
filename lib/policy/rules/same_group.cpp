// SPDX-License-Identifier: MIT
#include "policy/rules/same_group.h"

#include "base/text.h"

namespace cede {

bool SameGroup::spares(const UnitRow& row) const { return row.job.group != asking_.group(); }

bool SameGroup::may_exclude() const { return model().groups.live() > 1; }

bool SameGroup::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  const GroupId group = model().jobs[unit.job].group;
  if (why) *why = "the job is in group " + quote(model().name(model().groups[group].name));
  return true;
}

}  // namespace cede
