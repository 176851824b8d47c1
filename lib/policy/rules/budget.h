// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Nothing more may be taken within the window of the storm limits: of nobody who runs, or no work at all.
class Budget : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "budget"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
