// SPDX-License-Identifier: MIT
#include "policy/rules/no_quota_preemption.h"

namespace cede {

bool NoQuotaPreemption::refuses(std::string* why) const {
  const Purpose purpose = asking_.request.purpose;
  if (purpose != Purpose::relief_queue && purpose != Purpose::relief_job) return false;
  if (why) *why = "profile class-cost never preempts because a quota is exceeded";
  return true;
}

}  // namespace cede
