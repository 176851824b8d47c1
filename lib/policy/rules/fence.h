// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Nothing outside the requester's fence (law 7): the first fenced queue up its path, or the first that the
// request would bring over its `max`.
class Fence final : public EligibilityRule {
 public:
  explicit Fence(const Asking& asking);
  std::string_view name() const override { return "fence"; }
  bool excludes(const Unit& unit, std::string* why) const override;

 private:
  QueueId top_;  // none: no fence
};

}  // namespace cede
