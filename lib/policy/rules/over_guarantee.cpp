// SPDX-License-Identifier: MIT
#include "policy/rules/over_guarantee.h"

#include "policy/guarantees.h"

namespace cede {

bool OverGuarantee::refuses(std::string* why) const {
  if (!asking_.requester() || for_required_node(asking_)) return false;
  if (asking_.effective.flag(Setting::intra_queue, asking_.queue())) return false;
  if (lowest_justifying_queue(asking_)) return false;
  if (why) *why = "no queue on its path lacks any of its guarantee";
  return true;
}

}  // namespace cede
