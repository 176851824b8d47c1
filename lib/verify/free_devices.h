// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "verify/plan_facts.h"

namespace cede {

// Who has which devices of one node once the victims are gone.
struct FreeDevices {
  FreeDevices(const PlanFacts& facts, NodeId node);

  std::uint32_t count = 0;                          // devices of the node
  DeviceMask busy = 0;                              // held as a whole by somebody who stays
  std::array<std::uint32_t, kMaxDevices> shared{};  // in thousandths, by those who stay
  // Devices held by those who stay and do not say which; a part of one counts as one.
  Amount unknown = 0;
  // Devices of which it is known today who holds them: nobody unknown can be on those.
  DeviceMask named_today = 0;

  DeviceMask partly() const;
};

// Whether each node has as many free devices as the request's tasks there ask for in sum, whichever those are
// that somebody holds without saying so.
bool has_enough_devices(const PlanFacts& facts);

}  // namespace cede
