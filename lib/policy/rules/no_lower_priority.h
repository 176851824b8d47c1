// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Somebody of lower priority must run.
class NoLowerPriority final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "no-lower-priority"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
