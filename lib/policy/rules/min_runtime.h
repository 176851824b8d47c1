// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A unit is left alone until it has run for a while.
class MinRuntime final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "min-runtime"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

}  // namespace cede
