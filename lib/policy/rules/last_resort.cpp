// SPDX-License-Identifier: MIT
#include "policy/rules/last_resort.h"

namespace cede {

std::int64_t LastResort::of(const Unit& unit) const { return unit.last_resort ? 1 : 0; }

}  // namespace cede
