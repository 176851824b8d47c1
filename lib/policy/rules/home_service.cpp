// SPDX-License-Identifier: MIT
#include "policy/rules/home_service.h"

#include "policy/borrowing.h"

namespace cede {

bool HomeService::excludes(const Unit& unit, std::string* why) const {
  const JobKind kind = asking_.effective.kind(unit.job);
  if (kind != JobKind::service && kind != JobKind::inference) return false;
  if (is_borrowed(model(), unit)) return false;
  if (why) *why = "it is of kind " + std::string(to_word(kind, kJobKinds)) + " and on no borrowed node";
  return true;
}

}  // namespace cede
