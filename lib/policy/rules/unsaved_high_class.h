// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// High classes that cannot save their work are spared.
class UnsavedHighClass final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "unsaved-high-class"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool spares(const UnitRow& row) const override;
};

}  // namespace cede
