// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The requester's class must be above the victim's, by one or by a band as `class_rule` says.
class LowerClass final : public EligibilityRule {
 public:
  explicit LowerClass(const Asking& asking);
  std::string_view name() const override { return "class"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool spares(const UnitRow& row) const override;
  bool may_exclude() const override { return static_cast<bool>(asking_.requester()); }

 private:
  int least_for(int theirs) const;
  const int own_;
  const bool by_bands_;
};

}  // namespace cede
