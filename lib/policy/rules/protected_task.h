// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Tasks that a job runs within the protected part of its share stay, except on an overcommitted node.
class ProtectedTask final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "protected-task"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
