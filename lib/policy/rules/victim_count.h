// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// How many units go.
class VictimCount final : public Measure {
 public:
  explicit VictimCount(const Asking& asking, std::string_view name = "victims")
      : Measure(asking, Kind::sum), name_(name) {}
  std::string_view name() const override { return name_; }
  std::int64_t of(const Unit& unit) const override;

 private:
  std::string_view name_;
};

}  // namespace cede
