// SPDX-License-Identifier: MIT
#include "policy/rules/victim_count.h"

namespace cede {

std::int64_t VictimCount::of(const Unit&) const { return 1; }

}  // namespace cede
