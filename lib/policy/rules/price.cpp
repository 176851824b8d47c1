// SPDX-License-Identifier: MIT
#include "policy/rules/price.h"

#include "policy/class_price.h"

namespace cede {

std::int64_t Price::of(const Unit& unit) const { return class_price_sum(asking_, unit); }

}  // namespace cede
