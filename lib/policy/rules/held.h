// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Who is on the way out for somebody else is not taken a second time.
class Held final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "held"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

}  // namespace cede
