// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The request must serve a guarantee that is not met (law 4).
class OverGuarantee final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "over-guarantee"; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
