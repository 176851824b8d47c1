// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Running jobs above `preemptible_priority` are out of reach of every priority.
class PriorityThreshold final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "priority-threshold"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool spares(const UnitRow& row) const override;
};

}  // namespace cede
