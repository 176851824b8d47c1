// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/amount.h"
#include "base/work.h"
#include "topology/fit/device_sets.h"

namespace cede {

// A result found by counted work. `undecided`: the work ran out. The result is never a guess.
enum class Fit : std::uint8_t { no, yes, undecided };

// The most work of one query that one check of one node may spend.
inline constexpr std::uint64_t kOneFit = 600'000;

// How much of a node's cpu belongs to each NUMA node: in proportion to its cores, rounded down to
// thousandths. Empty if the cores are not known.
std::vector<Amount> numa_capacity(const NodeClass& node_class, Amount node_cpu);

// Whether tasks of equal cpu demand can all take it from few NUMA nodes: task i from at most `limit` of them,
// including spans[i], where its devices are. A demand may be split. The parts of all tasks on one NUMA node
// must not exceed what is free there. If a task may use every NUMA node, the answer is yes; the caller checks
// the cpu of the whole node.
Fit shares_cpu(std::span<const NumaSet> spans, std::uint32_t limit, std::span<const Amount> free,
               Amount per_task, Work& work);

// The same for tasks that differ. Tasks that may use every NUMA node do not count.
struct NumaDemand {
  NumaSet span = 0;         // NUMA nodes of its devices
  std::uint32_t limit = 0;  // how many NUMA nodes it may use
  Amount cpu = 0;
  auto operator<=>(const NumaDemand&) const = default;
};
Fit shares_cpu(std::span<const NumaDemand> demands, std::span<const Amount> free, Work& work);

}  // namespace cede
