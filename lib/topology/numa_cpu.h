// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/amount.h"
#include "topology/device_sets.h"

namespace cede {

// An answer found by counted work. `undecided`: the work ran out; it is never a guess.
enum class Fit : std::uint8_t { no, yes, undecided };

// What one question may cost, in steps of a few dozen nanoseconds. Several questions may share one.
struct FitBudget {
  static constexpr std::uint64_t kOneQuestion = 200'000;
  std::uint64_t left = kOneQuestion;
  bool spend() { return left > 0 && left-- > 0; }
};

// How much of a node's cpu belongs to each NUMA node: in proportion to its cores, rounded down to
// thousandths. Empty where the cores are not known.
std::vector<Amount> numa_capacity(const NodeClass& node_class, Amount node_cpu);

// Whether tasks of one cpu demand can all take it from few NUMA nodes: task i from at most `limit` of them,
// those in spans[i] (where its devices are) among them. A demand may be split, and the parts of all tasks on
// one NUMA node add up to at most what is free there. Where a task may use every NUMA node there is nothing
// to decide: that the node as a whole has the cpu is for the caller to check.
Fit shares_cpu(std::span<const NumaSet> spans, std::uint32_t limit, std::span<const Amount> free,
               Amount per_task, FitBudget& budget);

// The same for tasks that differ. Those that may use every NUMA node do not count.
struct NumaDemand {
  NumaSet span = 0;         // where its devices are
  std::uint32_t limit = 0;  // NUMA nodes it may use
  Amount cpu = 0;
  auto operator<=>(const NumaDemand&) const = default;
};
Fit shares_cpu(std::span<const NumaDemand> demands, std::span<const Amount> free, FitBudget& budget);

}  // namespace cede
