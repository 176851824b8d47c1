// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Sensitive work is never preempted, in no profile and for nobody.
class Sensitive final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "sensitive"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool spares(const UnitRow& row) const override;
};

}  // namespace cede
