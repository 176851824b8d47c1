// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "policy/queue_room.h"

namespace cede {

// The quota formulas of profile `quota`, for the job's waiting tasks together and every queue of its path. A
// queue that states no guarantee has no minimum to test, one without `max` no maximum.

// Not preemptible: what jobs that may not be preempted use, and the request, within the minimum.
std::vector<Lacking> lacking_minimum(const Asking& asking);

// Preemptible: what is owed to jobs that may not be preempted, what the others use, and the request, within
// the maximum.
std::vector<Lacking> lacking_maximum(const Asking& asking);

}  // namespace cede
