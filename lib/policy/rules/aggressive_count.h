// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// How many victims run within their job's share.
class AggressiveCount final : public Measure {
 public:
  explicit AggressiveCount(const Asking& asking) : Measure(asking, Kind::sum) {}
  std::string_view name() const override { return "aggressive"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
