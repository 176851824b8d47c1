// SPDX-License-Identifier: MIT
#include "topology/node_fit.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/bits.h"
#include "topology/numa_limit.h"

namespace cede {
namespace {

constexpr std::uint64_t kMaxCapacityWork = 5 * FitBudget::kOneQuestion;

}  // namespace

NodeFit::NodeFit(const NodeClass& node_class, const Requirement& require, TaskTerms terms,
                 std::uint32_t table_devices)
    : rules_(node_class, require, std::move(terms)) {
  if (rules_.numa() != CpuNuma::none) {
    rules_.set_numa_limit(find_numa_limit(node_class, require, rules_.terms()));
  }
  const std::uint32_t largest = std::min(table_devices, FitTable::kMaxTableDevices);
  if (rules_.terms().devices == 0 || rules_.sets().count() <= largest) table_ = FitTable(rules_);
  const bool all_placed = rules_.terms().unknown == Unknown::fails || rules_.sets().all_in_numa();
  by_numa_ = has_table() && rules_.terms().devices > 0 && all_placed && !rules_.has_node_rules() &&
             rules_.numa_terms({}).limit == 1;
}

Fit NodeFit::shares_cpu_alone(std::uint32_t tasks, std::span<const Amount> free_cpu,
                              FitBudget& budget) const {
  const NumaTerms numa = rules_.numa_terms(free_cpu);
  return shares_cpu(std::vector<NumaSet>(tasks, 0), numa.limit, numa.free, numa.cpu, budget);
}

Fit NodeFit::fits(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu) const {
  FitBudget budget;
  return fits(free, tasks, free_cpu, budget);
}

Fit NodeFit::fits(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu,
                  FitBudget& budget) const {
  if (tasks == 0) return Fit::yes;
  if (has_table()) {
    if (!table_.fits(free, tasks)) return Fit::no;
    if (!counts_cpu(free_cpu)) return Fit::yes;
    if (rules_.terms().devices == 0) return shares_cpu_alone(tasks, free_cpu, budget);
    if (by_numa_) return tasks <= capacity_by_numa(free, free_cpu) ? Fit::yes : Fit::no;
  }
  FitQuery query;
  query.free = free;
  query.tasks = tasks;
  if (counts_cpu(free_cpu)) query.free_cpu = free_cpu;
  return FitSearch(rules_, has_table() ? &table_ : nullptr, query, budget).run();
}

std::uint8_t NodeFit::capacity(DeviceMask free, std::span<const Amount> free_cpu) const {
  if (!counts_cpu(free_cpu)) return capacity(free);
  return by_numa_ ? capacity_by_numa(free, free_cpu) : searched_capacity(free, free_cpu).shown;
}

std::uint8_t NodeFit::capacity_bound(DeviceMask free, std::span<const Amount> free_cpu) const {
  if (has_table() && (by_numa_ || !counts_cpu(free_cpu))) return capacity(free, free_cpu);
  return searched_capacity(free, free_cpu).bound;
}

std::uint8_t NodeFit::capacity_by_numa(DeviceMask free, std::span<const Amount> free_cpu) const {
  const std::size_t count = rules_.sets().numa_count();
  // Where there is one NUMA node it has all of the node's cpu, which the caller counts.
  const Amount cpu = count == 1 ? 0 : rules_.numa_terms({}).cpu;
  std::uint32_t tasks = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t seats = table_.most(free & rules_.sets().devices_of(NumaSet{1} << i));
    const Amount here = i < free_cpu.size() ? std::max<Amount>(free_cpu[i], 0) : 0;
    tasks += cpu == 0 ? seats : static_cast<std::uint32_t>(std::min<Amount>(seats, here / cpu));
  }
  return static_cast<std::uint8_t>(tasks);
}

// From the most down, since fewer may fail where more fit.
NodeFit::Range NodeFit::searched_capacity(DeviceMask free, std::span<const Amount> free_cpu) const {
  const std::uint32_t most = has_table() ? table_.most(free) : rules_.most_tasks(free);
  auto tasks = static_cast<std::uint8_t>(std::min<std::uint32_t>(most, kNoLimit));
  FitBudget budget{kMaxCapacityWork};
  Range range;
  for (; tasks > 0; --tasks) {
    FitBudget one{std::min(budget.left, FitBudget::kOneQuestion)};
    const std::uint64_t given = one.left;
    const Fit fit = fits(free, tasks, free_cpu, one);
    budget.left -= given - one.left;
    if (fit != Fit::no) range.bound = std::max(range.bound, tasks);
    if (fit == Fit::yes) break;
  }
  range.shown = tasks;
  return range;
}

Fit NodeFit::assign(DeviceMask free, std::uint32_t tasks, std::span<DeviceMask> out, EntrySet* missed,
                    std::span<const Amount> free_cpu) const {
  if (has_table() && !table_.fits(free, tasks)) return Fit::no;
  if (rules_.terms().devices > 0) {
    FitQuery query;
    query.free = free;
    query.tasks = tasks;
    query.free_cpu = free_cpu;
    return assign(query, out, missed);
  }
  std::fill_n(out.begin(), tasks, DeviceMask{0});
  FitBudget budget;
  const bool best_effort = rules_.numa() == CpuNuma::best_effort && tasks > 0;
  if (missed) {
    const bool met = free_cpu.empty() || shares_cpu_alone(tasks, free_cpu, budget) == Fit::yes;
    *missed = best_effort && !(met && rules_.task_misses(0) == 0) ? kNumaEntry : 0;
  }
  return fits(free, tasks, free_cpu);
}

Fit NodeFit::assign(const FitQuery& asked, std::span<DeviceMask> out, EntrySet* missed) const {
  FitQuery query = asked;
  const FitTable* const table = has_table() ? &table_ : nullptr;
  const auto preferences = static_cast<std::uint32_t>(count_bits(rules_.preferences()));
  const auto run = [&](std::uint32_t max_missed, FitBudget& budget) {
    query.max_missed = max_missed;
    FitSearch search(rules_, table, query, budget);
    const Fit fit = search.run();
    if (fit != Fit::yes) return fit;
    std::copy(search.tasks().begin(), search.tasks().end(), out.begin());
    if (missed) *missed = search.missed();
    return fit;
  };
  FitBudget for_preferences;
  Fit fit = Fit::no;
  for (std::uint32_t max = 0; max < preferences && fit == Fit::no; ++max) fit = run(max, for_preferences);
  if (fit == Fit::yes) return fit;
  // What the table says fits is found, however long the way.
  FitBudget rest;
  if (table && query.free_cpu.empty()) rest.left = std::numeric_limits<std::uint64_t>::max();
  return run(kNoBound, rest);
}

}  // namespace cede
