// SPDX-License-Identifier: MIT
#include "verify/topology.h"

#include <set>

#include "base/bits.h"
#include "topology/import/device_catalogue.h"
#include "verify/devices.h"
#include "verify/plan_checks.h"

// Entries of the requirement about one node: its devices, NICs and NUMA nodes.

namespace cede {

namespace {

// The devices that each of the request's tasks gets on one node.
struct GivenDevices {
  GivenDevices(const PlanFacts& facts, NodeId node) {
    for (const PlannedTask* task : facts.placed_on(node)) {
      const DeviceMask devices = task->gpus | (task->share > 0 ? bit(task->share_device) : 0);
      by_task.push_back(devices);
      together |= devices;
      known = known && task->devices_known;
      wanted = wanted || facts.amount(task->task, facts.gpu) > 0;
    }
  }
  std::vector<DeviceMask> by_task;
  DeviceMask together = 0;
  bool known = true;    // whether the devices are named
  bool wanted = false;  // whether any task requests a device
};

bool meets(const NodeClass& node_class, const GpuRequirement& need, const GivenDevices& given) {
  if (need.scope == GpuScope::node) return meets(node_class, need, given.together);
  for (const DeviceMask task : given.by_task) {
    if (!meets(node_class, need, task)) return false;
  }
  return true;
}

bool meets(const NodeClass& node_class, const NicRequirement& need, const GivenDevices& given) {
  for (const DeviceMask task : given.by_task) {
    if (!meets(node_class, need, task)) return false;
  }
  return true;
}

bool numa_is_hard(const Requirement& require) {
  return require.cpu_numa == CpuNuma::single || require.cpu_numa == CpuNuma::restricted;
}

bool has_hard_entries(const Requirement& require) {
  bool any = !require.gpu_models.empty() || require.uniform_model != UniformModel::off ||
             (require.nic.given && require.nic.strength == Strength::hard) || numa_is_hard(require);
  for (const GpuRequirement& need : require.gpus) any = any || need.strength == Strength::hard;
  return any;
}

// All hard entries on one node whose class and devices are known.
bool meets_hard(const PlanFacts& facts, const NumaPlaces& numa, NodeId node, const GivenDevices& given) {
  const Requirement& require = facts.require();
  const NodeClass& node_class = *facts.model.node_class(facts.model.nodes[node]);
  for (const GpuRequirement& need : require.gpus) {
    if (need.strength == Strength::hard && !meets(node_class, need, given)) return false;
  }
  if (require.nic.given && require.nic.strength == Strength::hard && !meets(node_class, require.nic, given))
    return false;
  if (!are_of_models(node_class, require.gpu_models, given.together)) return false;
  if (require.uniform_model != UniformModel::off && !are_of_one_model(node_class, given.together))
    return false;
  return !numa_is_hard(require) || numa.are_kept(node);
}

}  // namespace

// If the devices of a task are not known, devices() checks their number. Then the search must prove the
// entries for every possible assignment.
std::string plan_check::gpu_entries(const PlanFacts& facts) {
  const Requirement& require = facts.require();
  if (!facts.yes() || !facts.for_job() || !has_hard_entries(require)) return {};
  const NumaPlaces numa(facts);
  std::set<std::string> job_models;
  int devices = 0;
  for (const NodeId node : facts.nodes_used()) {
    const GivenDevices given(facts, node);
    const NodeClass* node_class = facts.model.node_class(facts.model.nodes[node]);
    if (!node_class) {
      if (given.wanted || numa_is_hard(require))
        return facts.node_name(node) + " has no topology to meet the entries with";
      continue;
    }
    if (!given.known) continue;
    if (!meets_hard(facts, numa, node, given))
      return "devices of " + facts.node_name(node) + " do not meet a hard entry";
    if (require.uniform_model != UniformModel::job) continue;
    devices += count_bits(given.together);
    for (std::uint32_t d = 0; d < node_class->devices.size(); ++d) {
      if ((given.together & bit(d)) != 0) job_models.insert(fold_model(node_class->devices[d].model));
    }
  }
  if (devices > 1 && job_models.contains(std::string{})) return "a device's model is not known";
  return job_models.size() > 1 ? "devices of several models are used" : std::string{};
}

std::int64_t device_preferences_missed(const PlanFacts& facts) {
  const Requirement& require = facts.require();
  const NumaPlaces numa(facts);
  std::vector<bool> gpus_missed(require.gpus.size(), false);
  bool nic_missed = false;
  bool numa_missed = false;
  for (const NodeId node : facts.nodes_used()) {
    const GivenDevices given(facts, node);
    const NodeClass* node_class = facts.model.node_class(facts.model.nodes[node]);
    const bool judged = node_class && given.known;
    for (std::size_t i = 0; i < require.gpus.size(); ++i) {
      if (require.gpus[i].strength != Strength::prefer) continue;
      if (judged ? !meets(*node_class, require.gpus[i], given) : given.wanted) gpus_missed[i] = true;
    }
    if (require.nic.given && require.nic.strength == Strength::prefer &&
        (judged ? !meets(*node_class, require.nic, given) : given.wanted))
      nic_missed = true;
    if (require.cpu_numa == CpuNuma::best_effort && (!judged || !numa.are_kept(node))) numa_missed = true;
  }
  std::int64_t missed = (nic_missed ? 1 : 0) + (numa_missed ? 1 : 0);
  for (const bool each : gpus_missed) missed += each ? 1 : 0;
  return missed;
}

}  // namespace cede
