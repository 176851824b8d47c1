// SPDX-License-Identifier: MIT
#include "policy/rules/originators.h"

#include <algorithm>

namespace cede {

std::int64_t Originators::of(const Unit& unit) const {
  return std::count_if(unit.tasks.begin(), unit.tasks.end(),
                       [&](TaskId task) { return model().tasks.extras(task).originator; });
}

}  // namespace cede
