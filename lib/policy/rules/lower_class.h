// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The requester's class must be above the victim's, by one or by a band as `class_rule` says.
class LowerClass final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "class"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
