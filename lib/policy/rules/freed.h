// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

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
  std::int64_t of_amounts(const Unit& unit) const;

  struct Counted {
    std::uint32_t resource = 0;
    Total capacity = 0;
  };
  std::vector<Counted> counted_;  // what is asked for
  // What one task of a shape frees, once somebody asked; -1 before. Whoever computes it gets the same.
  mutable std::vector<std::atomic<std::int64_t>> by_shape_;
};

}  // namespace cede
