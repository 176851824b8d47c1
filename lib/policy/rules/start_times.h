// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Start times compared one by one, in the direction the profile asks for.
class StartTimes final : public Measure {
 public:
  StartTimes(const Asking& asking, Kind kind) : Measure(asking, kind) {}
  std::string_view name() const override { return "started"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
