// SPDX-License-Identifier: MIT
#include "policy/rules/checkpoint_price.h"

#include "policy/class_price.h"

namespace cede {

std::int64_t CheckpointPrice::of(const Unit& unit) const { return checkpoint_price(asking_, unit); }

}  // namespace cede
