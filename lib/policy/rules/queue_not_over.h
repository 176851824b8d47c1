// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A unit that as the only victim would cost a queue its guarantee is not eligible (law 5).
class QueueNotOver final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "queue-not-over"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
