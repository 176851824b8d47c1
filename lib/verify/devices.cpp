// SPDX-License-Identifier: MIT
// Whether the named devices belong to the node, are free, and are as many as requested.
#include <algorithm>

#include "base/bits.h"
#include "verify/free_devices.h"
#include "verify/plan_checks.h"

namespace cede {

FreeDevices::FreeDevices(const PlanFacts& facts, NodeId node)
    : count(facts.model.device_count(facts.model.nodes[node], facts.gpu)) {
  const Model& model = facts.model;
  for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
    const TaskCore& task = model.tasks.core(t);
    named_today |= task.gpus;
    if (facts.gone().contains(t)) continue;
    busy |= task.gpus;
    if (!task.gpus_given) unknown += (facts.amount(t, facts.gpu) + kOne - 1) / kOne;
    for (const DeviceShare& share : model.shares(model.tasks.extras(t))) shared[share.device] += share.share;
  }
  for (const InFlight::Blocked* each : facts.kept_from_it(node)) {
    named_today |= each->gpus;
    busy |= each->gpus;
    unknown += each->unknown;
    for (const DeviceShare& share : each->shares) shared[share.device] += share.share;
  }
}

DeviceMask FreeDevices::partly() const {
  DeviceMask mask = 0;
  for (std::uint32_t d = 0; d < kMaxDevices; ++d) mask |= shared[d] > 0 ? bit(d) : 0;
  return mask;
}

bool has_enough_devices(const PlanFacts& facts) {
  for (const NodeId node : facts.nodes_used()) {
    Amount wanted = 0;
    for (const PlannedTask* task : facts.placed_on(node)) wanted += facts.amount(task->task, facts.gpu);
    if (wanted == 0) continue;
    const FreeDevices there(facts, node);
    if (there.count == 0) continue;
    const Amount taken = count_bits(there.busy | there.partly()) + there.unknown;
    if ((static_cast<Amount>(there.count) - taken) * kOne < wanted) return false;
  }
  return true;
}

namespace {

// One node and the devices that earlier tasks of the plan got there.
class Giving {
 public:
  Giving(const PlanFacts& facts, NodeId node)
      : facts_(facts), name_(facts.node_name(node)), there_(facts, node) {}

  std::string fault(const PlannedTask& task) {
    const Amount asked = facts_.amount(task.task, facts_.gpu);
    if (asked == 0 || there_.count == 0 || !task.devices_known) return unnamed(task, asked);
    if (static_cast<Amount>(count_bits(task.gpus)) * kOne + task.share != asked)
      return "a task is given another number of devices than it asked for";
    DeviceMask named = task.gpus;
    if (task.share > 0) named |= bit(task.share_device);
    if ((named & ~first_bits(there_.count)) != 0) return "a device outside node " + name_ + " is given";
    if (there_.unknown > 0 && (named & ~there_.named_today) != 0)
      return "a device of " + name_ + " is named that may be held";
    if ((task.gpus & there_.busy) != 0) return "a device of " + name_ + " is given that another holds";
    if ((task.gpus & there_.partly()) != 0) return "a shared device of " + name_ + " is given whole";
    if (task.share > 0) {
      std::uint32_t& sum = there_.shared[task.share_device];
      sum += task.share;
      if (sum > kOne || ((there_.busy | task.gpus) & bit(task.share_device)) != 0)
        return "a device of " + name_ + " is shared beyond 1";
    }
    there_.busy |= task.gpus;
    return {};
  }

 private:
  // A task without named devices: it requests none, the node has none to name, or only the number of free
  // devices is known.
  std::string unnamed(const PlannedTask& task, Amount asked) {
    if (!task.devices_known && there_.unknown == 0)
      return name_ + " is wrong about its devices being unknown";
    if (task.gpus != 0 || task.share != 0) return "devices of " + name_ + " are named without being known";
    // If the group counts devices, the node's amounts do not say how many are free.
    if (task.devices_known || !facts_.counted_by_group(facts_.gpu)) return {};
    assumed_ += (asked + kOne - 1) / kOne;
    const Amount taken = count_bits(there_.busy | there_.partly()) + there_.unknown + assumed_;
    return taken > static_cast<Amount>(there_.count) ? name_ + " has too few devices" : std::string{};
  }

  const PlanFacts& facts_;
  const std::string name_;
  FreeDevices there_;
  Amount assumed_ = 0;  // given to tasks without naming the devices
};

}  // namespace

std::string plan_check::devices(const PlanFacts& facts) {
  for (const NodeId node : facts.nodes_used()) {
    Giving giving(facts, node);
    for (const PlannedTask* task : facts.placed_on(node)) {
      if (std::string found = giving.fault(*task); !found.empty()) return found;
    }
  }
  return {};
}

}  // namespace cede
