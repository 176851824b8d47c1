// SPDX-License-Identifier: MIT
#pragma once

#include "base/work.h"
#include "policy/asking.h"
#include "search/ground.h"

namespace cede {

// The first waiting job that is served before the requester and may preempt in its turn (Asking::front_job).
// Jobs that are impossible, in progress or may not preempt are passed over.
JobId find_front_job(const Asking& asking, const Ground& ground, Work& work);

}  // namespace cede
