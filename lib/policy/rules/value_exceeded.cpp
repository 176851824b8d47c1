// SPDX-License-Identifier: MIT
#include "policy/rules/value_exceeded.h"

#include "policy/class_price.h"
#include "policy/composition.h"

namespace cede {

ValueExceeded::ValueExceeded(const Asking& asking) : Cap(asking), value_(request_value(asking)) {}

std::int64_t ValueExceeded::figure(std::span<const Unit* const> victims) const {
  std::int64_t total = 0;
  for (const Unit* unit : victims) {
    for (const CostPart& part : composition(asking_.effective.profile()).price(asking_, *unit))
      total += part.value;
  }
  return total;
}

bool ValueExceeded::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (value_ < 0) return false;
  const std::int64_t total = figure(victims);
  if (total < value_) return false;
  if (why) {
    *why = "the victims would cost " + format_scaled(total, 3) + " minutes, the request is worth " +
           format_scaled(value_, 3);
  }
  return true;
}

}  // namespace cede
