// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Whose jobs may be taken: the user's, project's or tenant's own, or anyone's in the group.
class Scope final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "scope"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

}  // namespace cede
