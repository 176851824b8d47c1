// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A pool may forbid that tasks within its jobs' shares are taken.
class AggressiveForbidden final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "aggressive-forbidden"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
