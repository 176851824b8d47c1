// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Waiting jobs are served from the highest priority down, then by submission: only the first may preempt.
// Jobs that are impossible, in progress or may not preempt do not hold up the line.
class NotFront final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "not-front"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
