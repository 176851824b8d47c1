// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A job that just resumed is left alone for the policy's `cooldown`.
class Cooldown final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "cooldown"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

}  // namespace cede
