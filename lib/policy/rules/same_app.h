// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// An application does not preempt itself (law 3).
class SameApp final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "same-app"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
