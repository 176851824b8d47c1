// SPDX-License-Identifier: MIT
#include "policy/rules/class_counts.h"

namespace cede {

std::int64_t ClassCounts::of(const Unit& unit) const { return asking_.effective.job_class(unit.job); }

}  // namespace cede
