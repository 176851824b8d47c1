// SPDX-License-Identifier: MIT
#include "topology/fit/fit_table.h"

#include "base/bits.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "topology/fit/subsets.h"

namespace cede {
namespace {

// The sets that one task may have, in the order of their lowest device.
std::vector<std::vector<std::uint32_t>> task_sets(const NodeRules& rules, std::uint32_t size) {
  std::vector<std::vector<std::uint32_t>> sets(rules.sets().count());
  const auto allowed = static_cast<std::uint32_t>(rules.allowed());
  for (std::uint32_t set = 1; set < size; ++set) {
    if (static_cast<std::uint32_t>(count_bits(set)) != rules.terms().devices || (set & ~allowed) != 0)
      continue;
    const auto lowest = static_cast<std::size_t>(std::countr_zero(set));
    if ((set & ~rules.mates(lowest)) == 0 && rules.task_holds(set)) sets[lowest].push_back(set);
  }
  return sets;
}

}  // namespace

std::uint64_t FitTable::work_to_make(const NodeRules& rules) {
  const std::uint32_t per_task = rules.terms().devices;
  const std::uint32_t count = rules.sets().count();
  if (per_task == 0 || count == 0) return 1;
  std::uint64_t masks = 0;  // that are held against every set with their lowest device
  for (std::uint32_t members = 2 * per_task; members <= count; members += per_task)
    masks += subset_count(count, members);
  const std::uint64_t sets = subset_count(count, per_task);
  const std::uint64_t with_one = subset_count(count - 1, per_task - 1);
  return (std::uint64_t{1} << count) * (count + 2) / 16 + sets * 4 + masks * with_one / 16;
}

// A union of t sets has t × devices members, so whether a mask can be split into such sets says for which t,
// and what all tasks together must satisfy can be asked of the mask. The rest is handing answers up from each
// mask to those that hold it.
FitTable::FitTable(const NodeRules& rules) {
  const std::uint32_t devices = rules.terms().devices;
  if (devices == 0) {
    most_.assign(1, rules.task_holds(0) ? kNoLimit : std::uint8_t{0});
    return;
  }
  const std::uint32_t size = std::uint32_t{1} << rules.sets().count();
  mask_ = size - 1;
  const std::vector<std::vector<std::uint32_t>> sets = task_sets(rules, size);
  std::vector<bool> splits(size, false);
  std::vector<std::uint16_t> fits(size, 0);
  for (const std::vector<std::uint32_t>& list : sets) {
    for (const std::uint32_t set : list) splits[set] = true;
  }
  for (std::uint32_t mask = 1; mask < size; ++mask) {
    const auto members = static_cast<std::uint32_t>(count_bits(mask));
    if (members % devices != 0) continue;
    if (members > devices) {
      const std::vector<std::uint32_t>& with_lowest = sets[static_cast<std::size_t>(std::countr_zero(mask))];
      splits[mask] = std::any_of(with_lowest.begin(), with_lowest.end(),
                                 [&](std::uint32_t set) { return (set & ~mask) == 0 && splits[mask ^ set]; });
    }
    if (splits[mask] && rules.node_holds(mask)) {
      fits[mask] = static_cast<std::uint16_t>(1u << (members / devices - 1));
    }
  }
  for (std::uint32_t device = 1; device < size; device <<= 1) {
    for (std::uint32_t mask = 0; mask < size; ++mask) {
      if ((mask & device) != 0) fits[mask] = static_cast<std::uint16_t>(fits[mask] | fits[mask ^ device]);
    }
  }
  most_.resize(size);
  for (std::uint32_t mask = 0; mask < size; ++mask) {
    most_[mask] = static_cast<std::uint8_t>(std::bit_width(fits[mask]));
  }
  if (!rules.is_hereditary()) exact_ = std::move(fits);
}

}  // namespace cede
