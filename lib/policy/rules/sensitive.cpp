// SPDX-License-Identifier: MIT
#include "policy/rules/sensitive.h"

namespace cede {

bool Sensitive::spares(const UnitRow& row) const {
  return row.kind == JobKind::sensitive || row.job_class == kSensitiveClass;
}

bool Sensitive::excludes(const Unit& unit, std::string* why) const {
  if (asking_.effective.kind(unit.job) == JobKind::sensitive) {
    if (why) *why = "the job is of kind sensitive";
    return true;
  }
  if (asking_.effective.job_class(unit.job) != kSensitiveClass) return false;
  if (why) *why = "the job is of class 10";
  return true;
}

}  // namespace cede
