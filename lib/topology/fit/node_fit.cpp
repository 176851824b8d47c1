// SPDX-License-Identifier: MIT
#include "topology/fit/node_fit.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/bits.h"
#include "topology/fit/node_rules.h"

namespace cede {
namespace {

constexpr std::uint64_t kMaxCapacityWork = 3 * kOneFit;
constexpr std::uint64_t kMadeRules = 300;  // work to build the relations of a class

// The caller's budget, or an own one if the caller gives none.
class WorkOf {
 public:
  WorkOf(Work* given, std::uint64_t own) : own_(own), work_(given ? *given : own_) {}
  operator Work&() { return work_; }

 private:
  Work own_;
  Work& work_;
};

}  // namespace

NodeFit::NodeFit(const NodeClass& node_class, const Requirement& require, TaskTerms terms,
                 std::uint32_t table_devices, Work* given)
    : rules_(node_class, require, std::move(terms)) {
  WorkOf own(given, Work::kUnlimited);
  Work& work = own;
  work.spend(kMadeRules);
  if (rules_.numa() != CpuNuma::none) {
    const WorkShare share(work, kOneFit);
    const std::optional<std::uint32_t> limit = find_numa_limit(node_class, require, rules_.terms(), work);
    unclear_ = !limit;
    rules_.set_numa_limit(limit.value_or(0));
  }
  const std::uint32_t largest = std::min(table_devices, FitTable::kMaxTableDevices);
  if (rules_.terms().devices == 0 || rules_.sets().count() <= largest) {
    // A table is worth its cost only if it leaves most of the budget to the search that uses it.
    const std::uint64_t price = FitTable::work_to_make(rules_);
    if (price <= work.left() / 4) {
      work.spend(price);
      table_ = FitTable(rules_);
    }
  }
  const bool all_placed = rules_.terms().unknown == Unknown::fails || rules_.sets().all_in_numa();
  by_numa_ = has_table() && rules_.terms().devices > 0 && all_placed && !rules_.has_node_rules() &&
             rules_.numa_terms({}).limit == 1;
}

Fit NodeFit::shares_cpu_alone(std::uint32_t tasks, std::span<const Amount> free_cpu, Work& work) const {
  const NumaTerms numa = rules_.numa_terms(free_cpu);
  return shares_cpu(std::vector<NumaSet>(tasks, 0), numa.limit, numa.free, numa.cpu, work);
}

Fit NodeFit::fits(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu, Work* given) const {
  WorkOf work(given, kOneFit);
  const WorkShare share(work, kOneFit);
  return found(free, tasks, free_cpu, work);
}

Fit NodeFit::found(DeviceMask free, std::uint32_t tasks, std::span<const Amount> free_cpu, Work& work) const {
  if (tasks == 0) return Fit::yes;
  if (has_table()) {
    if (!table_.fits(free, tasks)) return Fit::no;
    if (!counts_cpu(free_cpu)) return Fit::yes;
    if (rules_.terms().devices == 0) return shares_cpu_alone(tasks, free_cpu, work);
    if (by_numa_) return tasks <= capacity_by_numa(free, free_cpu) ? Fit::yes : Fit::no;
  }
  FitQuery query;
  query.free = free;
  query.tasks = tasks;
  if (counts_cpu(free_cpu)) query.free_cpu = free_cpu;
  return FitSearch(rules_, has_table() ? &table_ : nullptr, query, work).run();
}

std::uint8_t NodeFit::capacity(DeviceMask free, std::span<const Amount> free_cpu, Work* work) const {
  if (!counts_cpu(free_cpu)) return capacity(free, work);
  return by_numa_ ? capacity_by_numa(free, free_cpu) : searched_capacity(free, free_cpu, work);
}

std::uint8_t NodeFit::capacity_by_numa(DeviceMask free, std::span<const Amount> free_cpu) const {
  const std::size_t count = rules_.sets().numa_count();
  // A single NUMA node has all of the node's cpu, which the caller checks.
  const Amount cpu = count == 1 ? 0 : rules_.numa_terms({}).cpu;
  std::uint32_t tasks = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t by_devices = table_.most(free & rules_.sets().devices_of(NumaSet{1} << i));
    const Amount here = i < free_cpu.size() ? std::max<Amount>(free_cpu[i], 0) : 0;
    tasks += cpu == 0 ? by_devices : static_cast<std::uint32_t>(std::min<Amount>(by_devices, here / cpu));
  }
  return static_cast<std::uint8_t>(tasks);
}

// From the most tasks down, because fewer may fail although more fit.
std::uint8_t NodeFit::searched_capacity(DeviceMask free, std::span<const Amount> free_cpu,
                                        Work* given) const {
  const std::uint32_t most = has_table() ? table_.most(free) : rules_.most_tasks(free);
  auto tasks = static_cast<std::uint8_t>(std::min<std::uint32_t>(most, kNoLimit));
  WorkOf work(given, kMaxCapacityWork);
  const WorkShare all(work, kMaxCapacityWork);
  for (; tasks > 0; --tasks) {
    const WorkShare one(work, kOneFit);
    if (found(free, tasks, free_cpu, work) == Fit::yes) break;
  }
  return tasks;
}

Fit NodeFit::assign(DeviceMask free, std::uint32_t tasks, std::span<DeviceMask> out, EntrySet* missed,
                    std::span<const Amount> free_cpu, Work* given) const {
  if (has_table() && !table_.fits(free, tasks)) return Fit::no;
  if (rules_.terms().devices > 0) {
    FitQuery query;
    query.free = free;
    query.tasks = tasks;
    query.free_cpu = free_cpu;
    return assign(query, out, missed, given);
  }
  std::fill_n(out.begin(), tasks, DeviceMask{0});
  WorkOf work(given, kOneFit);
  const bool best_effort = rules_.numa() == CpuNuma::best_effort && tasks > 0;
  if (missed) {
    const bool met = free_cpu.empty() || shares_cpu_alone(tasks, free_cpu, work) == Fit::yes;
    *missed = best_effort && !(met && rules_.task_misses(0) == 0) ? kNumaEntry : 0;
  }
  return fits(free, tasks, free_cpu, given);
}

Fit NodeFit::assign(const FitQuery& asked, std::span<DeviceMask> out, EntrySet* missed, Work* given) const {
  FitQuery query = asked;
  const FitTable* const table = has_table() ? &table_ : nullptr;
  const auto preferences = static_cast<std::uint32_t>(count_bits(rules_.preferences()));
  const auto run = [&](std::uint32_t max_missed, Work& work) {
    query.max_missed = max_missed;
    FitSearch search(rules_, table, query, work);
    const Fit fit = search.run();
    if (fit != Fit::yes) return fit;
    std::copy(search.tasks().begin(), search.tasks().end(), out.begin());
    if (missed) *missed = search.missed();
    return fit;
  };
  WorkOf own(given, 2 * kOneFit);
  Work& work = own;
  Fit fit = Fit::no;
  {
    const WorkShare for_preferences(work, kOneFit);
    for (std::uint32_t max = 0; max < preferences && fit == Fit::no; ++max) fit = run(max, work);
  }
  if (fit == Fit::yes) return fit;
  if (!table || !query.free_cpu.empty() || query.taken != 0) {
    const WorkShare rest(work, kOneFit);
    return run(kNoBound, work);
  }
  // The search follows the table directly to an assignment that fits.
  Work straight;
  fit = run(kNoBound, straight);
  work.add(straight);
  return fit;
}

}  // namespace cede
