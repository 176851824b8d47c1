// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Quota excess is never a reason to preempt: what the queue does not admit today waits.
class QueueMax final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "queue-max"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
