// SPDX-License-Identifier: MIT
#include "policy/rules/not_front.h"

#include "base/text.h"

namespace cede {

bool NotFront::refuses(std::string* why) const {
  if (!asking_.requester() || !asking_.effective.flag(Setting::front_only, asking_.queue())) return false;
  for (const JobId id : asking_.prospect->waiting_before(asking_.requester())) {
    if (asking_.in_flight.has_entry(id) || !asking_.effective.may_preempt(id)) continue;
    if (!asking_.prospect->possible(id)) continue;
    if (why) *why = "job " + quote(model().job_name(id)) + " is served first";
    return true;
  }
  return false;
}

}  // namespace cede
