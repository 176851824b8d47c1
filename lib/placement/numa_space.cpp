// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "placement/device_allocator.h"

namespace cede {

namespace {

// The NUMA node a task is bound to, or none: it asked for a single one, and its devices lie in one.
std::size_t bound_to(const Model& model, const NodeClass& node_class, TaskId task) {
  const RequirementId require = model.job_extras[model.tasks.core(task).job.value].require;
  if (!require || model.requirements[require.value]->cpu_numa != CpuNuma::single)
    return node_class.numa.size();
  DeviceMask held = model.tasks.core(task).gpus;
  for (const DeviceShare& share : model.shares(model.tasks.extras(task)))
    held |= DeviceMask{1} << share.device;
  if (held == 0) return node_class.numa.size();
  const auto at = std::find_if(node_class.numa.begin(), node_class.numa.end(),
                               [&](DeviceMask mask) { return (held & ~mask) == 0; });
  return static_cast<std::size_t>(at - node_class.numa.begin());
}

}  // namespace

std::vector<Amount> certain_numa_cpu(const Space& space, std::size_t node) {
  const Model& model = space.model();
  const NodeRow& row = model.nodes[space.node(node).id];
  const NodeClass* node_class = model.node_class(row);
  const std::uint32_t cpu = model.find_resource("cpu");
  if (!node_class || cpu == ResourceId::kNoValue) return {};
  const std::size_t count = node_class->numa.size();
  Total cores = 0;
  for (const std::uint32_t each : node_class->cores) cores += each;
  std::vector<Total> capacity(count, 0);
  for (std::size_t i = 0; i < count && i < node_class->cores.size() && cores > 0; ++i)
    capacity[i] =
        static_cast<Total>(amount_of(model.shape(row.resources), cpu)) * node_class->cores[i] / cores;
  std::vector<Total> known(count, 0);        // of those that stay
  std::vector<Total> known_today(count, 0);  // of everybody: the others cannot be there
  Total anywhere = space.node(node).blocked_cpu;
  for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
    const Amount held = amount_of(model.shape(model.tasks.core(task).resources), cpu);
    const std::size_t at = bound_to(model, *node_class, task);
    if (at < count) {
      known_today[at] += held;
      if (space.holds(task)) known[at] += held;
    } else if (space.holds(task)) {
      anywhere += held;
    }
  }
  std::vector<Amount> free(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Total others = std::min(anywhere, std::max<Total>(0, capacity[i] - known_today[i]));
    free[i] = static_cast<Amount>(std::max<Total>(0, capacity[i] - known[i] - others));
  }
  return free;
}

}  // namespace cede
