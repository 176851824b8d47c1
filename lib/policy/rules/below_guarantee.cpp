// SPDX-License-Identifier: MIT
#include "policy/rules/below_guarantee.h"

#include "policy/guarantees.h"

namespace cede {

bool BelowGuarantee::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (asking_.requester() && for_required_node(asking_)) return false;
  return loses_guarantee(asking_, victims, why);
}

std::optional<Total> BelowGuarantee::most_freed(std::span<const Unit* const> candidates,
                                                std::uint32_t resource) const {
  if (asking_.requester() && for_required_node(asking_)) return std::nullopt;
  return freed_within_guarantees(asking_, candidates, resource);
}

}  // namespace cede
