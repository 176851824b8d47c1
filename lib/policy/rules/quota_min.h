// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A job that may not be preempted must stay within its quota's minimum, up the tree.
class QuotaMin final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "quota-min"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
