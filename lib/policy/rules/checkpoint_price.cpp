// SPDX-License-Identifier: MIT
#include "policy/rules/checkpoint_price.h"

#include "policy/class_price.h"

namespace cede {

std::int64_t CheckpointPrice::of(const Unit& unit) const { return class_price(asking_, unit).front().value; }

}  // namespace cede
