// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Tasks whose end takes their application down.
class Originators final : public Measure {
 public:
  explicit Originators(const Asking& asking) : Measure(asking, Kind::sum) {}
  std::string_view name() const override { return "originators"; }
  std::int64_t of(const Unit& unit) const override;
};

}  // namespace cede
