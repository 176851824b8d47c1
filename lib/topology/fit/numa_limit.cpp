// SPDX-License-Identifier: MIT
#include "topology/fit/numa_limit.h"

#include <bit>
#include <vector>

#include "base/bits.h"
#include "topology/fit/fit_search.h"

namespace cede {
namespace {

// The next larger number with as many bits.
NumaSet next_set(NumaSet set) {
  const NumaSet lowest = set & (~set + 1);
  const NumaSet carried = set + lowest;
  return carried | ((carried ^ set) / lowest >> 2);
}

// Whether one task finds its cpu and devices on these NUMA nodes when nobody else is there.
Fit does(const NodeRules& rules, std::span<const Amount> capacity, NumaSet nodes, Work& work) {
  const TaskTerms& terms = rules.terms();
  // All NUMA nodes together have the node's cpu, whatever rounding makes of the parts.
  const bool all = static_cast<std::size_t>(count_bits(nodes)) == rules.sets().numa_count();
  Total cpu = all ? terms.node_cpu : 0;
  for (NumaSet rest = nodes; !all && terms.cpu > 0 && rest != 0; rest &= rest - 1) {
    cpu += capacity[static_cast<std::size_t>(std::countr_zero(rest))];
  }
  if (cpu < terms.cpu || terms.devices == 0) return cpu >= terms.cpu ? Fit::yes : Fit::no;
  FitQuery query;
  query.free = rules.sets().devices_of(nodes);
  query.tasks = 1;
  return FitSearch(rules, nullptr, query, work).run();
}

// 0: no number of them does.
std::optional<std::uint32_t> fewest(const NodeRules& rules, std::span<const Amount> capacity, Work& work) {
  const auto count = static_cast<std::uint32_t>(rules.sets().numa_count());
  for (std::uint32_t size = 1; size <= count; ++size) {
    const NumaSet first = ~NumaSet{0} >> (kMaxNumaNodes - size);
    const NumaSet last = first << (count - size);
    for (NumaSet nodes = first;; nodes = next_set(nodes)) {
      const Fit fit = does(rules, capacity, nodes, work);
      if (fit == Fit::yes) return size;
      if (!work.spend(5) || fit == Fit::undecided) return std::nullopt;
      if (nodes == last) break;
    }
  }
  return 0;
}

}  // namespace

std::optional<std::uint32_t> find_numa_limit(const NodeClass& node_class, const Requirement& require,
                                             const TaskTerms& terms, Work& work) {
  if (terms.devices == 0 && terms.cpu == 0) return kMaxNumaNodes;
  TaskTerms known = terms;
  known.unknown = Unknown::fails;
  const NodeRules rules(node_class, require, known);
  const bool may_pass = terms.unknown == Unknown::passes;
  const bool lacks_cores = terms.cpu > 0 && !rules.knows_cores();
  if (require.cpu_numa == CpuNuma::single) return lacks_cores && !may_pass ? 0 : 1;
  if (lacks_cores || (may_pass && !rules.sets().all_in_numa())) return may_pass ? kMaxNumaNodes : 0;
  const std::optional<std::uint32_t> limit = fewest(rules, numa_capacity(node_class, terms.node_cpu), work);
  return limit && *limit == 0 && may_pass ? std::optional<std::uint32_t>(kMaxNumaNodes) : limit;
}

}  // namespace cede
