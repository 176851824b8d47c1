// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Only a job that has been below its fair share for long enough may preempt.
class NotStarving final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "not-starving"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
