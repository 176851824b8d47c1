// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "model/plan.h"
#include "policy/asking.h"

namespace cede {

// The price of profile `class-cost`: checkpoint, recompute, walltime and overhead, in this order, each in
// thousandths of a minute and rounded half up for the unit.
std::array<CostPart, 4> class_price(const Asking& asking, const Unit& unit);
// The first of them alone.
std::int64_t checkpoint_price(const Asking& asking, const Unit& unit);

// What the request is worth, in the same unit: the job's own value, else GPUs × hours of walltime at
// `value_per_gpu_hour`; -1 where neither is given.
std::int64_t request_value(const Asking& asking);

}  // namespace cede
