// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Who starves does not lose tasks to another who starves.
class StarvingVictim final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "starving-victim"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
