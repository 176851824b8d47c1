// SPDX-License-Identifier: MIT
#include "policy/rules/not_preemptible.h"

namespace cede {

bool NotPreemptible::spares(const UnitRow& row) const { return !row.unit.preemptible; }

bool NotPreemptible::excludes(const Unit& unit, std::string* why) const {
  if (unit.preemptible) return false;
  if (why) *why = "the job opted out of preemption";
  return true;
}

}  // namespace cede
