// SPDX-License-Identifier: MIT
#include "policy/rules/queue_max.h"

#include "policy/queue_room.h"

namespace cede {

bool QueueMax::refuses(std::string* why) const {
  if (!asking_.requester()) return false;
  for (const Lacking& lacking : lacking_room(asking_, asking_.usage)) {
    if (why) *why = describe(model(), lacking);
    return true;
  }
  return false;
}

}  // namespace cede
