// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// The checkpoints' part of the price.
class CheckpointPrice final : public Measure {
 public:
  explicit CheckpointPrice(const Asking& asking) : Measure(asking, Kind::sum) {}
  std::string_view name() const override { return "checkpoint"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
