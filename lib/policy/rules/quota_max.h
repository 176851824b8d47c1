// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A job that may be preempted must leave room for what its quota owes to those that may not.
class QuotaMax final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "quota-max"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
