// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Only a strictly lower priority gives way.
class LowerPriority final : public EligibilityRule {
 public:
  explicit LowerPriority(const Asking& asking);
  std::string_view name() const override { return "priority"; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool spares(const UnitRow& row) const override;
  bool may_exclude() const override { return static_cast<bool>(asking_.requester()); }

 private:
  const std::int32_t own_;
};

}  // namespace cede
