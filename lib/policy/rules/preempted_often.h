// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A job that gave way often enough is left alone from then on.
class PreemptedOften final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "preempted-often"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

}  // namespace cede
