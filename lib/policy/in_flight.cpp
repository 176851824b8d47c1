// SPDX-License-Identifier: MIT
#include "policy/in_flight.h"

#include <algorithm>

namespace cede {

bool InFlight::is_leaving(TaskId task) const {
  return std::binary_search(leaving.begin(), leaving.end(), task);
}

bool InFlight::has_entry(JobId requester) const {
  return std::binary_search(requesters.begin(), requesters.end(), requester);
}

}  // namespace cede
