// SPDX-License-Identifier: MIT
#include "policy/rules/pending_delay.h"

#include <algorithm>

#include "policy/guarantees.h"

namespace cede {

bool PendingDelay::refuses(std::string* why) const {
  if (!asking_.requester() || for_required_node(asking_)) return false;
  const Duration delay = asking_.effective.preemption_delay(asking_.queue());
  const Duration waited =
      std::max<Duration>(0, asking_.now - asking_.effective.waiting_since(asking_.requester()));
  if (waited >= delay) return false;
  if (why)
    *why = "it has waited for " + format_duration(waited) + ", preemption.delay is " + format_duration(delay);
  return true;
}

}  // namespace cede
