// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// GPU-minutes destroyed or idle, as `cost_model: lost-work` compares them.
class WorkLost final : public Measure {
 public:
  explicit WorkLost(const Asking& asking) : Measure(asking, Kind::sum) {}
  std::string_view name() const override { return "lost-work"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
