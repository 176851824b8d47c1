// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Only a strictly lower priority gives way.
class LowerPriority final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "priority"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
