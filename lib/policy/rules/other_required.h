// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A task that can run nowhere else does not give way to another of its kind.
class OtherRequired final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "required-node"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
