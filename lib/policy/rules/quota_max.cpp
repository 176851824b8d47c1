// SPDX-License-Identifier: MIT
#include "policy/rules/quota_max.h"

#include "policy/quota.h"

namespace cede {

bool QuotaMax::refuses(std::string* why) const {
  for (const Lacking& lacking : lacking_maximum(asking_)) {
    if (why) *why = describe(model(), lacking);
    return true;
  }
  return false;
}

}  // namespace cede
