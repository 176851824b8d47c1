// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A queue or job over its `max` is not a reason to preempt either.
class NoQuotaPreemption final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "no-quota-preemption"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
