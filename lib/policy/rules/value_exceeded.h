// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// What the victims cost must be less than what the request is worth; not asked where nobody gave a value.
class ValueExceeded final : public Cap {
 public:
  explicit ValueExceeded(const Asking& asking);
  std::string_view name() const override { return "value-exceeded"; }
  bool may_break() const override { return value_ >= 0; }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::int64_t figure(std::span<const Unit* const> victims) const override;

 private:
  std::int64_t value_;  // thousandths of a minute; negative: none
};

}  // namespace cede
