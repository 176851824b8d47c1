// SPDX-License-Identifier: MIT
#include "policy/rules/work_lost.h"

#include "policy/composition.h"

namespace cede {

std::int64_t WorkLost::of(const Unit& unit) const { return lost_work(asking_, unit); }

}  // namespace cede
