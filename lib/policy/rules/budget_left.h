// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// What the storm limits still leave within their window: preemptions of each victim queue and user, and work
// lost.
class BudgetLeft : public Cap {
 public:
  using Cap::Cap;
  std::string_view name() const override { return "budget"; }
  bool may_break() const override { return asking_.allowance.bounds(); }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
};

}  // namespace cede
