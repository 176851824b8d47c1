// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "topology/node_fit.h"

namespace cede {

// Running tasks that hold devices of a node without saying which. `pool`: the devices that they may hold
// today, before anything is freed; `held`: how many of them those that stay hold together.
struct UnknownHolders {
  DeviceMask pool = 0;
  std::uint32_t held = 0;
};

inline constexpr std::uint64_t kMaxHoldings = 10'000;

// Whether exactly so many tasks fit whichever devices of the pool are held; not every task need get the same
// devices each time. `free` are the devices that would be free if nobody held anything of the pool. More than
// kMaxHoldings possibilities: no.
Fit fits_beside(const NodeFit& fit, DeviceMask free, const UnknownHolders& holders, std::uint32_t tasks,
                std::span<const Amount> free_cpu = {});

// The largest number of tasks shown to fit so.
std::uint8_t capacity_beside(const NodeFit& fit, DeviceMask free, const UnknownHolders& holders,
                             std::span<const Amount> free_cpu = {});

// The devices that are free whoever holds what. Tasks that fit into these get devices by name (assign with
// this mask); any others are only known to fit.
DeviceMask certainly_free(DeviceMask free, const UnknownHolders& holders);

}  // namespace cede
