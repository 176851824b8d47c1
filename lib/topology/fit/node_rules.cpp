// SPDX-License-Identifier: MIT
#include "topology/fit/node_rules.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/bits.h"
#include "topology/fit/fit_search.h"

namespace cede {

namespace {

bool numa_is_met(const DeviceSets& sets, std::span<const DeviceMask> tasks, const NumaTerms& numa,
                 Unknown unknown) {
  if (numa.limit == 0) return tasks.empty();
  std::vector<NumaSet> spans;
  for (const DeviceMask task : tasks) {
    if (!holds(sets.within_numa(task, numa.limit), unknown)) return false;
    spans.push_back(sets.numa_nodes(task));
  }
  if (numa.free.empty()) return true;
  Work work(kOneFit);
  return shares_cpu(spans, numa.limit, numa.free, numa.cpu, work) == Fit::yes;
}

}  // namespace

EntrySet preferred_entries(const Requirement& require) {
  EntrySet found = require.cpu_numa == CpuNuma::best_effort ? kNumaEntry : 0;
  for (std::size_t i = 0; i < require.gpus.size(); ++i) {
    if (require.gpus[i].strength == Strength::prefer) found |= gpus_entry(i);
  }
  if (require.nic.given && require.nic.strength == Strength::prefer) found |= kNicEntry;
  return found;
}

EntrySet unmet_entries(const DeviceSets& sets, const Requirement& require, std::span<const DeviceMask> tasks,
                       const NumaTerms& numa, Unknown unknown, std::string_view model) {
  EntrySet unmet = 0;
  DeviceMask together = 0;
  for (const DeviceMask task : tasks) together |= task;
  for (std::size_t i = 0; i < require.gpus.size(); ++i) {
    const GpuRequirement& need = require.gpus[i];
    if (need.scope == GpuScope::node) {
      if (!holds(sets.related(together, need), unknown)) unmet |= gpus_entry(i);
      continue;
    }
    for (const DeviceMask task : tasks) {
      if (!holds(sets.related(task, need), unknown)) unmet |= gpus_entry(i);
    }
  }
  for (const DeviceMask task : tasks) {
    if (require.nic.given && !holds(sets.near_nic(task, require.nic), unknown)) unmet |= kNicEntry;
  }
  if (!holds(sets.of_models(together, require.gpu_models), unknown)) unmet |= kModelEntry;
  if (require.uniform_model != UniformModel::off) {
    if (!holds(sets.one_model(together), unknown)) unmet |= kUniformEntry;
    if (!model.empty() && !holds(sets.of_model(together, model), unknown)) unmet |= kUniformEntry;
  }
  if (require.cpu_numa != CpuNuma::none && !numa_is_met(sets, tasks, numa, unknown)) unmet |= kNumaEntry;
  return unmet;
}

namespace {

// The relation of a pair that may be in one set that meets the entry.
GpuRequirement between_two(GpuRequirement need) {
  if (need.mode == GpuMode::connected) need.mode = GpuMode::same;
  return need;
}

}  // namespace

NodeRules::NodeRules(const NodeClass& node_class, const Requirement& require, TaskTerms terms)
    : sets_(node_class),
      terms_(std::move(terms)),
      nic_(require.nic),
      uniform_(require.uniform_model != UniformModel::off),
      numa_(require.cpu_numa),
      knows_cores_(!numa_capacity(node_class, 0).empty() && sets_.numa_count() > 0),
      preferences_(preferred_entries(require)) {
  for (std::size_t i = 0; i < require.gpus.size(); ++i) {
    const GpuRequirement& need = require.gpus[i];
    const bool hard = need.strength == Strength::hard;
    std::vector<Entry>& list = need.scope == GpuScope::task ? (hard ? hard_task_ : preferred_task_)
                                                            : (hard ? hard_node_ : preferred_node_);
    list.push_back({need, gpus_entry(i)});
    if (hard && need.scope == GpuScope::node && need.level == GpuLevel::nvl &&
        need.mode == GpuMode::connected) {
      hereditary_ = false;
    }
  }
  for (std::uint32_t d = 0; d < sets_.count(); ++d) {
    const bool named = holds(sets_.of_models(bit(d), require.gpu_models), terms_.unknown);
    const bool only = terms_.model.empty() || holds(sets_.of_model(bit(d), terms_.model), terms_.unknown);
    if (named && only) allowed_ |= bit(d);
  }
  cut();
}

void NodeRules::cut() {
  for (std::uint32_t d = 0; d < sets_.count(); ++d) {
    if (!task_holds(bit(d))) allowed_ &= ~bit(d);
  }
  for (std::uint32_t a = 0; a < sets_.count(); ++a) {
    mates_[a] = node_mates_[a] = twins_[a] = bit(a);
    if ((allowed_ & bit(a)) == 0) continue;
    for (std::uint32_t b = 0; b < sets_.count(); ++b) {
      if (a == b || (allowed_ & bit(b)) == 0) continue;
      if (may_share_node(a, b)) node_mates_[a] |= bit(b);
      if (may_share_node(a, b) && may_pair(a, b)) mates_[a] |= bit(b);
      if (are_twins(a, b)) twins_[a] |= bit(b);
    }
  }
  islands_.clear();
  for (DeviceMask rest = allowed_; rest != 0;) {
    DeviceMask island = rest & (~rest + 1);
    for (DeviceMask before = 0; before != island;) {
      before = island;
      for (DeviceMask add = before; add != 0; add &= add - 1) {
        island |= mates_[static_cast<std::size_t>(std::countr_zero(add))];
      }
    }
    islands_.push_back(island);
    rest &= ~island;
  }
}

bool NodeRules::may_pair(std::uint32_t a, std::uint32_t b) const {
  const DeviceMask pair = bit(a) | bit(b);
  for (const Entry& entry : hard_task_) {
    if (!is_met(pair, between_two(entry.need))) return false;
  }
  if (nic_.given && nic_.strength == Strength::hard && !holds(sets_.near_nic(pair, nic_), terms_.unknown)) {
    return false;
  }
  return !numa_is_hard() || holds(sets_.within_numa(pair, numa_limit_), terms_.unknown);
}

bool NodeRules::may_share_node(std::uint32_t a, std::uint32_t b) const {
  const DeviceMask pair = bit(a) | bit(b);
  for (const Entry& entry : hard_node_) {
    if (!is_met(pair, between_two(entry.need))) return false;
  }
  return !uniform_ || holds(sets_.one_model(pair), terms_.unknown);
}

bool NodeRules::are_twins(std::uint32_t a, std::uint32_t b) const {
  for (const std::vector<Entry>* list : {&hard_task_, &hard_node_, &preferred_task_, &preferred_node_}) {
    for (const Entry& entry : *list) {
      if (!sets_.same_relations(a, b, entry.need.level)) return false;
    }
  }
  if (nic_.given && !sets_.same_nics(a, b, nic_.level)) return false;
  if (uniform_ && !sets_.same_model(a, b)) return false;
  return numa_ == CpuNuma::none || sets_.numa_nodes(bit(a)) == sets_.numa_nodes(bit(b));
}

bool NodeRules::task_holds(DeviceMask set) const {
  for (const Entry& entry : hard_task_) {
    if (!is_met(set, entry.need)) return false;
  }
  if (nic_.given && nic_.strength == Strength::hard && !holds(sets_.near_nic(set, nic_), terms_.unknown)) {
    return false;
  }
  if (!numa_is_hard()) return true;
  return numa_limit_ > 0 && holds(sets_.within_numa(set, numa_limit_), terms_.unknown);
}

bool NodeRules::node_holds(DeviceMask together) const {
  for (const Entry& entry : hard_node_) {
    if (!is_met(together, entry.need)) return false;
  }
  return !uniform_ || holds(sets_.one_model(together), terms_.unknown);
}

EntrySet NodeRules::task_misses(DeviceMask set) const {
  EntrySet missed = 0;
  for (const Entry& entry : preferred_task_) {
    if (!is_met(set, entry.need)) missed |= entry.bit;
  }
  if (nic_.given && nic_.strength == Strength::prefer && !holds(sets_.near_nic(set, nic_), terms_.unknown)) {
    missed |= kNicEntry;
  }
  if (numa_ == CpuNuma::best_effort &&
      (numa_limit_ == 0 || !holds(sets_.within_numa(set, numa_limit_), terms_.unknown))) {
    missed |= kNumaEntry;
  }
  return missed;
}

EntrySet NodeRules::node_misses(DeviceMask together) const {
  EntrySet missed = 0;
  for (const Entry& entry : preferred_node_) {
    if (!is_met(together, entry.need)) missed |= entry.bit;
  }
  return missed;
}

std::uint32_t NodeRules::most_tasks(DeviceMask free) const {
  if (terms_.devices == 0) return kNoBound;
  std::uint32_t tasks = 0;
  for (const DeviceMask island : islands_) {
    tasks += static_cast<std::uint32_t>(count_bits(free & island)) / terms_.devices;
  }
  return tasks;
}

void NodeRules::set_numa_limit(std::uint32_t limit) {
  numa_limit_ = limit;
  cut();
}

NumaTerms NodeRules::numa_terms(std::span<const Amount> free) const {
  return {numa_limit_, knows_cores_ ? terms_.cpu : 0, free};
}

namespace {

// The next larger number with the same number of bits.
NumaSet next_set(NumaSet set) {
  const NumaSet lowest = set & (~set + 1);
  const NumaSet carried = set + lowest;
  return carried | ((carried ^ set) / lowest >> 2);
}

// Whether one task finds its cpu and devices on these NUMA nodes of an empty node.
Fit does(const NodeRules& rules, std::span<const Amount> capacity, NumaSet nodes, Work& work) {
  const TaskTerms& terms = rules.terms();
  // All NUMA nodes together have the node's cpu, whatever the rounding of the parts.
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

// 0: no number of NUMA nodes is enough.
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
