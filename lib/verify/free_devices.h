// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "verify/plan_facts.h"

namespace cede {

// The holders of the devices of one node once the victims are gone.
struct FreeDevices {
  FreeDevices(const PlanFacts& facts, NodeId node);

  std::uint32_t count = 0;                          // devices of the node
  DeviceMask busy = 0;                              // held as a whole by tasks that stay
  std::array<std::uint32_t, kMaxDevices> shared{};  // in thousandths, by tasks that stay
  // Devices of tasks that stay and do not name them; a part of a device counts as one.
  Amount unknown = 0;
  // Devices whose holders are known today. A task that does not name its devices cannot be on these.
  DeviceMask named_today = 0;

  DeviceMask partly() const;
};

// Whether each node has as many free devices as the request's tasks there need in total, whichever devices
// the tasks that do not name theirs hold.
bool has_enough_devices(const PlanFacts& facts);

}  // namespace cede
