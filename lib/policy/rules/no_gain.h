// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Every job that loses a task within its share stays more satisfied than the requester was: each such step
// raises the smallest satisfaction, so jobs cannot take from each other in circles.
class NoGain final : public Cap {
 public:
  using Cap::Cap;
  std::string_view name() const override { return "no-gain"; }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::uint64_t work(std::span<const Unit* const> victims) const override;
};

}  // namespace cede
