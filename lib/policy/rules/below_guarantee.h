// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Preemption never costs a queue its guarantee (law 2).
class BelowGuarantee final : public Cap {
 public:
  using Cap::Cap;
  std::string_view name() const override { return "below-guarantee"; }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::optional<Total> most_freed(std::span<const Unit* const> candidates,
                                  std::uint32_t resource) const override;
};

}  // namespace cede
