// SPDX-License-Identifier: MIT
#include "policy/rules/not_starving.h"

#include <algorithm>

#include "policy/fair_standing.h"

namespace cede {

bool NotStarving::refuses(std::string* why) const {
  if (!asking_.requester()) return false;
  const FairStanding& standing = *asking_.fair;
  if (standing.starvation(asking_.requester()) != Starvation::non_starving) return false;
  if (why) {
    const Time since = standing.below_since(asking_.requester());
    const Duration timeout = starvation_terms(asking_.effective, asking_.requester()).timeout;
    *why = standing.status(asking_.requester()) == ShareStatus::normal
               ? "the job has its fair share"
               : "the job is below its fair share for " +
                     format_duration(since == kNoTime ? 0 : std::max<Duration>(0, asking_.now - since)) +
                     ", it starves after " + format_duration(timeout);
  }
  return true;
}

}  // namespace cede
