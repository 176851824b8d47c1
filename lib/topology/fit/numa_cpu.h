// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/amount.h"
#include "base/work.h"
#include "topology/fit/device_sets.h"

namespace cede {

// An answer found by counted work. `undecided`: the work ran out; it is never a guess.
enum class Fit : std::uint8_t { no, yes, undecided };

// How much of a question's work goes at most into one look at whether tasks fit onto one node.
inline constexpr std::uint64_t kOneFit = 600'000;

// How much of a node's cpu belongs to each NUMA node: in proportion to its cores, rounded down to
// thousandths. Empty where the cores are not known.
std::vector<Amount> numa_capacity(const NodeClass& node_class, Amount node_cpu);

// Whether tasks of one cpu demand can all take it from few NUMA nodes: task i from at most `limit` of them,
// those in spans[i] (where its devices are) among them. A demand may be split, and the parts of all tasks on
// one NUMA node add up to at most what is free there. Where a task may use every NUMA node there is nothing
// to decide: that the node as a whole has the cpu is for the caller to check.
Fit shares_cpu(std::span<const NumaSet> spans, std::uint32_t limit, std::span<const Amount> free,
               Amount per_task, Work& work);

// The same for tasks that differ. Those that may use every NUMA node do not count.
struct NumaDemand {
  NumaSet span = 0;         // where its devices are
  std::uint32_t limit = 0;  // NUMA nodes it may use
  Amount cpu = 0;
  auto operator<=>(const NumaDemand&) const = default;
};
Fit shares_cpu(std::span<const NumaDemand> demands, std::span<const Amount> free, Work& work);

}  // namespace cede
