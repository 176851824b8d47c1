// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The caller named the job as one to leave alone.
class ProtectedJob final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "protected"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

}  // namespace cede
