// SPDX-License-Identifier: MIT
#include "policy/rules/price.h"

#include "policy/class_price.h"

namespace cede {

std::int64_t Price::of(const Unit& unit) const {
  std::int64_t sum = 0;
  for (const CostPart& part : class_price(asking_, unit)) sum += part.value;
  return sum;
}

}  // namespace cede
