// SPDX-License-Identifier: MIT
#include "policy/rules/not_front.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

namespace {

bool served_before(const Effective& effective, JobId a, JobId b) {
  const std::int32_t pa = effective.priority(a);
  const std::int32_t pb = effective.priority(b);
  if (pa != pb) return pa > pb;
  if (effective.submitted(a) != effective.submitted(b))
    return effective.submitted(a) < effective.submitted(b);
  return effective.model().job_name(a) < effective.model().job_name(b);
}

}  // namespace

bool NotFront::refuses(std::string* why) const {
  if (!asking_.requester() || !asking_.effective.flag(Setting::front_only, asking_.queue())) return false;
  std::vector<JobId> before;
  model().jobs.for_each([&](JobId id, const JobCore& core) {
    if (core.group == asking_.group() && served_before(asking_.effective, id, asking_.requester()))
      before.push_back(id);
  });
  std::sort(before.begin(), before.end(),
            [&](JobId a, JobId b) { return served_before(asking_.effective, a, b); });
  for (const JobId id : before) {
    if (asking_.in_flight.has_entry(id) || !asking_.effective.may_preempt(id)) continue;
    if (!asking_.prospect->possible(id)) continue;
    if (why) *why = "job " + quote(model().job_name(id)) + " is served first";
    return true;
  }
  return false;
}

}  // namespace cede
