// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// At most `max_victims` jobs lose something.
class MaxVictims final : public Cap {
 public:
  using Cap::Cap;
  std::string_view name() const override { return "max-victims"; }
  bool may_break() const override;
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::int64_t figure(std::span<const Unit* const> victims) const override;
};

}  // namespace cede
