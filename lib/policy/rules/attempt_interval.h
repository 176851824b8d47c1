// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// One request does not preempt again right after it did.
class AttemptInterval final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "attempt-interval"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
