// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// What a unit frees of the requested resources, in billionths of the group's capacity, each rounded up.
class Freed final : public Measure {
 public:
  explicit Freed(const Asking& asking, std::string_view name = "freed");
  std::string_view name() const override { return name_; }
  std::int64_t of(const Unit& unit) const override;

 private:
  std::string_view name_;
  std::vector<Total> capacity_;  // per resource; 0 where nothing of it is asked
};

}  // namespace cede
