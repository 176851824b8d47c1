// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Tasks within a job's share are for aggressively starving requests alone.
class AggressiveOnly final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "aggressive-only"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
