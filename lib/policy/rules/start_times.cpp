// SPDX-License-Identifier: MIT
#include "policy/rules/start_times.h"

namespace cede {

std::int64_t StartTimes::of(const Unit& unit) const { return unit.start; }

}  // namespace cede
