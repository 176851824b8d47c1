// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A job that is about to reach its walltime is left to finish.
class NearCompletion final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "near-completion"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool spares(const UnitRow& row) const override;

 private:
  Duration left(const Unit& unit, Duration walltime) const;
};

}  // namespace cede
