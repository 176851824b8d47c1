// SPDX-License-Identifier: MIT
#include "policy/rules/quota_min.h"

#include "policy/quota.h"

namespace cede {

bool QuotaMin::refuses(std::string* why) const {
  for (const Lacking& lacking : lacking_minimum(asking_)) {
    if (why) *why = describe(model(), lacking);
    return true;
  }
  return false;
}

}  // namespace cede
