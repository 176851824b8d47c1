// SPDX-License-Identifier: MIT
#include "policy/rules/home_service.h"

#include "policy/borrowing.h"

namespace cede {

bool HomeService::spares(const UnitRow& row) const {
  return (row.kind == JobKind::service || row.kind == JobKind::inference) && !is_borrowed(model(), row.unit);
}

bool HomeService::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  const JobKind kind = asking_.effective.kind(unit.job);
  if (why) *why = "it is of kind " + std::string(to_word(kind, kJobKinds)) + " and on no borrowed node";
  return true;
}

}  // namespace cede
