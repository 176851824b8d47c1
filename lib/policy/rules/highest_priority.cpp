// SPDX-License-Identifier: MIT
#include "policy/rules/highest_priority.h"

namespace cede {

std::int64_t HighestPriority::of(const Unit& unit) const { return unit.priority; }

}  // namespace cede
