// SPDX-License-Identifier: MIT
#include "topology/fit/node_entries.h"

#include <vector>

namespace cede {
namespace {

EntrySet entries_of(const Requirement& require, Strength strength) {
  EntrySet found = 0;
  for (std::size_t i = 0; i < require.gpus.size(); ++i) {
    if (require.gpus[i].strength == strength) found |= gpus_entry(i);
  }
  if (require.nic.given && require.nic.strength == strength) found |= kNicEntry;
  return found;
}

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

EntrySet hard_entries(const Requirement& require) {
  EntrySet found = entries_of(require, Strength::hard);
  if (!require.gpu_models.empty()) found |= kModelEntry;
  if (require.uniform_model != UniformModel::off) found |= kUniformEntry;
  if (require.cpu_numa == CpuNuma::single || require.cpu_numa == CpuNuma::restricted) found |= kNumaEntry;
  return found;
}

EntrySet preferred_entries(const Requirement& require) {
  return entries_of(require, Strength::prefer) | (require.cpu_numa == CpuNuma::best_effort ? kNumaEntry : 0);
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

}  // namespace cede
