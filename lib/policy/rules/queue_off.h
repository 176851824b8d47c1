// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The kill switch as victims see it: where preemption is off nobody is taken.
class QueueOff final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "queue-off"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

}  // namespace cede
