// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A request waits for the delay of its leaf queue before it may preempt.
class PendingDelay final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "pending-delay"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
