// SPDX-License-Identifier: MIT
#include "policy/rules/same_job.h"

namespace cede {

bool SameJob::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester() || unit.job != asking_.requester()) return false;
  if (why) *why = "it belongs to the requester itself";
  return true;
}

}  // namespace cede
