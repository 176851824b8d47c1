// SPDX-License-Identifier: MIT
#include "topology/unknown_holders.h"

#include "base/bits.h"

#include <algorithm>

namespace cede {
namespace {

constexpr std::uint64_t kMaxWork = 10 * FitBudget::kOneQuestion;  // over all possibilities

std::uint32_t held_of(const UnknownHolders& holders) {
  return std::min(holders.held, static_cast<std::uint32_t>(count_bits(holders.pool)));
}

// n over k, or more than the limit.
std::uint64_t possibilities(std::uint32_t n, std::uint32_t k) {
  std::uint64_t count = 1;
  for (std::uint32_t i = 1; i <= k && count <= kMaxHoldings; ++i) count = count * (n - k + i) / i;
  return count;
}

// Calls `visit` with every choice of so many devices of the pool until it returns false.
template <class Visit>
bool for_each_holding(DeviceMask pool, std::uint32_t more, DeviceMask held, Visit& visit) {
  if (more == 0) return visit(held);
  for (; static_cast<std::uint32_t>(count_bits(pool)) >= more; pool &= pool - 1) {
    if (!for_each_holding(pool & (pool - 1), more - 1, held | (pool & (~pool + 1)), visit)) return false;
  }
  return true;
}

}  // namespace

DeviceMask certainly_free(DeviceMask free, const UnknownHolders& holders) {
  return held_of(holders) == 0 ? free : free & ~holders.pool;
}

Fit fits_beside(const NodeFit& fit, DeviceMask free, const UnknownHolders& holders, std::uint32_t tasks,
                std::span<const Amount> free_cpu) {
  const std::uint32_t held = held_of(holders);
  if (possibilities(static_cast<std::uint32_t>(count_bits(holders.pool)), held) > kMaxHoldings) {
    return Fit::no;
  }
  FitBudget budget{kMaxWork};
  Fit worst = Fit::yes;
  auto visit = [&](DeviceMask here) {
    const Fit found = fit.fits(free & ~here, tasks, free_cpu, budget);
    if (found != Fit::yes) worst = found;
    return worst != Fit::no;
  };
  for_each_holding(holders.pool, held, 0, visit);
  return worst;
}

std::uint8_t capacity_beside(const NodeFit& fit, DeviceMask free, const UnknownHolders& holders,
                             std::span<const Amount> free_cpu) {
  std::uint8_t tasks = fit.capacity_bound(free, free_cpu);
  while (tasks > 0 && fits_beside(fit, free, holders, tasks, free_cpu) != Fit::yes) --tasks;
  return tasks;
}

}  // namespace cede
