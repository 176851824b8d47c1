// SPDX-License-Identifier: MIT
#include "topology/share_seat.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/amount.h"
#include "base/bits.h"

namespace cede {
namespace {

// Devices that have room for the share, in the order they are wanted.
std::vector<std::uint32_t> roomy_devices(const ShareAsk& ask, std::uint32_t count) {
  const auto used = [&](std::uint32_t d) { return d < ask.used.size() ? ask.used[d] : std::uint32_t{0}; };
  std::vector<std::uint32_t> found;
  for (std::uint32_t d = 0; d < count; ++d) {
    const bool begun = used(d) > 0 && (ask.held & bit(d)) == 0 && used(d) + ask.share <= kOne;
    if (begun || (used(d) == 0 && (ask.free & bit(d)) != 0)) found.push_back(d);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return used(a) > used(b); });
  return found;
}

}  // namespace

Fit seat_share(const NodeFit& fit, const ShareAsk& ask, ShareSeat& out) {
  bool found = false;
  bool doubtful = false;
  for (const std::uint32_t device : roomy_devices(ask, fit.rules().sets().count())) {
    FitQuery query;
    query.free = ask.free;
    query.tasks = 1;
    query.free_cpu = ask.free_cpu;
    query.taken = ask.taken & ~bit(device);
    query.include = bit(device);
    std::array<DeviceMask, 1> task{};
    EntrySet missed = 0;
    const Fit here = fit.assign(query, task, &missed);
    doubtful = doubtful || here == Fit::undecided;
    if (here != Fit::yes || (found && count_bits(missed) >= count_bits(out.missed))) continue;
    found = true;
    out = {task[0] & ~bit(device), device, missed};
    if (missed == 0) break;
  }
  return found ? Fit::yes : doubtful ? Fit::undecided : Fit::no;
}

}  // namespace cede
