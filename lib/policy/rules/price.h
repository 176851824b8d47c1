// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The victims' price, the sum of its parts.
class Price final : public Measure {
 public:
  explicit Price(const Asking& asking) : Measure(asking, Kind::sum) {}
  std::string_view name() const override { return "price"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
