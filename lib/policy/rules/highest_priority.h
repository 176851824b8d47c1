// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The highest priority among the victims, however many have it.
class HighestPriority final : public Measure {
 public:
  explicit HighestPriority(const Asking& asking) : Measure(asking, Kind::highest) {}
  std::string_view name() const override { return "highest-priority"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
