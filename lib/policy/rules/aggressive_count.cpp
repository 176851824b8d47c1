// SPDX-License-Identifier: MIT
#include "policy/rules/aggressive_count.h"

#include "policy/fair_standing.h"

namespace cede {

std::int64_t AggressiveCount::of(const Unit& unit) const {
  return asking_.fair->tier(unit) == TaskTier::preemptible ? 0 : 1;
}

}  // namespace cede
