// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// How many victims have the highest priority, then the next.
class PriorityCounts final : public Measure {
 public:
  explicit PriorityCounts(const Asking& asking) : Measure(asking, Kind::counts) {}
  std::string_view name() const override { return "priority"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
