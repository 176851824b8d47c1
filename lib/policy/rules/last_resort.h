// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The first criterion of every objective: as few as possible of those that asked to be spared.
class LastResort final : public Measure {
 public:
  explicit LastResort(const Asking& asking) : Measure(asking, Kind::sum) {}
  std::string_view name() const override { return "last-resort"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
