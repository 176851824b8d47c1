// SPDX-License-Identifier: MIT
#include "policy/rules/priority_counts.h"

namespace cede {

std::int64_t PriorityCounts::of(const Unit& unit) const { return unit.priority; }

}  // namespace cede
