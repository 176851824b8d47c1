// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// How many victims are of the highest class, then of the next.
class ClassCounts final : public Measure {
 public:
  explicit ClassCounts(const Asking& asking) : Measure(asking, Kind::counts) {}
  std::string_view name() const override { return "class"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
