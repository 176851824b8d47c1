// SPDX-License-Identifier: MIT
#include "policy/rules/below_guarantee.h"

#include "policy/guarantees.h"

namespace cede {

bool BelowGuarantee::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (asking_.requester() && for_required_node(asking_)) return false;
  return loses_guarantee(asking_, victims, why);
}

}  // namespace cede
