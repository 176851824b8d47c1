// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// After a commit on a node nobody there is taken for a while.
class NodeBackoff final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "node-backoff"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

}  // namespace cede
