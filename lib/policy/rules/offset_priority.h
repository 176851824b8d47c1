// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A victim's priority is not above the requester's, both with their queues' offsets (law 6); in the same leaf
// it is strictly lower.
class OffsetPriority final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "priority"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
