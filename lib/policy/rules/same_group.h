// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Groups do not overlap: what another group's job frees is of no use.
class SameGroup final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "same-group"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool spares(const UnitRow& row) const override;
  bool may_exclude() const override;
};

}  // namespace cede
