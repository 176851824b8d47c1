// SPDX-License-Identifier: MIT
#include "policy/rules/protected_job.h"

#include <algorithm>

namespace cede {

bool ProtectedJob::excludes(const Unit& unit, std::string* why) const {
  if (!std::binary_search(asking_.protect.begin(), asking_.protect.end(), unit.job)) return false;
  if (why) *why = "the caller asked to leave the job alone";
  return true;
}

bool ProtectedJob::may_exclude() const { return !asking_.protect.empty(); }

}  // namespace cede
