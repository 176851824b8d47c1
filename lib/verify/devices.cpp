// SPDX-License-Identifier: MIT
#include "verify/devices.h"

#include <algorithm>
#include <vector>

#include "base/bits.h"
#include "topology/import/device_catalogue.h"
#include "verify/plan_checks.h"

// Whether the named devices belong to the node, are free, and are as many as requested.

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
  for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
    const InFlight::Hold* const hold = facts.plan.in_flight->hold(model.tasks.core(t).job);
    if (!hold || !std::binary_search(hold->tasks.begin(), hold->tasks.end(), t)) continue;
    if (facts.gone().contains(t) || facts.amount(t, facts.gpu) == 0) continue;
    (model.tasks.core(t).gpus_given ? kept_by_name : kept_by_number) = true;
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
    if (there.unknown > 0 && there.kept_by_name) {
      const DeviceMask sure = there.named_today & ~there.busy & ~there.partly() & first_bits(there.count);
      if (static_cast<Amount>(count_bits(sure)) * kOne < wanted) return false;
      continue;
    }
    const Amount taken = count_bits(there.busy | there.partly()) + there.unknown;
    if ((static_cast<Amount>(there.count) - taken) * kOne < wanted) return false;
  }
  return true;
}

namespace {

// One node and the devices that earlier tasks of the plan got there.
class DeviceCheck {
 public:
  DeviceCheck(const PlanFacts& facts, NodeId node)
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
    if (there_.kept_by_number) return "a device of " + name_ + " is named that an earlier start may take";
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
    if (!task.devices_known && there_.kept_by_name)
      return "a task gets no names on " + name_ + " and may take a device that is kept for another";
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
    DeviceCheck check(facts, node);
    for (const PlannedTask* task : facts.placed_on(node)) {
      if (std::string found = check.fault(*task); !found.empty()) return found;
    }
  }
  return {};
}

namespace {

std::vector<std::uint32_t> members(const NodeClass& node_class, DeviceMask set) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t d = 0; d < node_class.devices.size(); ++d) {
    if ((set & bit(d)) != 0) out.push_back(d);
  }
  return out;
}

const std::vector<DeviceMask>& masks_of(const NodeClass& node_class, GpuLevel level) {
  return level == GpuLevel::pcie   ? node_class.pcie
         : level == GpuLevel::numa ? node_class.numa
                                   : node_class.sockets;
}

// The set itself, and the devices that share a mask with any of it.
DeviceMask widened(DeviceMask set, const std::vector<DeviceMask>& masks) {
  DeviceMask out = set;
  for (const DeviceMask mask : masks) out |= (mask & set) != 0 ? mask : 0;
  return out;
}

// The devices reached from the first device of the set over related pairs without leaving `within`.
DeviceMask reached(const NodeClass& node_class, GpuLevel level, std::uint32_t first, DeviceMask within) {
  DeviceMask found = bit(first);
  for (bool grows = true; grows;) {
    grows = false;
    for (const std::uint32_t from : members(node_class, found)) {
      for (const std::uint32_t to : members(node_class, within & ~found)) {
        if (!are_related(node_class, level, from, to)) continue;
        found |= bit(to);
        grows = true;
      }
    }
  }
  return found;
}

// The devices near a NIC at a level. At `pcie` those that the NIC lists for that level; further out also
// those that share a NUMA node, and then a socket, with one of them. If the NIC's own level is further out
// than the requested one, no device is near.
DeviceMask near(const NodeClass& node_class, const NodeClass::Nic& nic, GpuLevel level) {
  if (level == GpuLevel::pcie) return nic.level == LinkClass::pcie ? nic.near : 0;
  if (level == GpuLevel::numa) return nic.level == LinkClass::socket ? 0 : widened(nic.near, node_class.numa);
  const DeviceMask sure = nic.level == LinkClass::socket ? nic.near : widened(nic.near, node_class.numa);
  return widened(sure, node_class.sockets);
}

}  // namespace

bool are_related(const NodeClass& node_class, GpuLevel level, std::uint32_t a, std::uint32_t b) {
  const DeviceMask pair = bit(a) | bit(b);
  const auto holds_both = [&](DeviceMask mask) { return (pair & ~mask) == 0; };
  if (level != GpuLevel::nvl) {
    const std::vector<DeviceMask>& masks = masks_of(node_class, level);
    return std::any_of(masks.begin(), masks.end(), holds_both);
  }
  const bool degraded = std::any_of(node_class.degraded.begin(), node_class.degraded.end(),
                                    [&](const auto& link) { return (bit(link[0]) | bit(link[1])) == pair; });
  return !degraded && std::any_of(node_class.links.begin(), node_class.links.end(),
                                  [&](const NodeClass::LinkGroup& group) {
                                    return group.link == LinkClass::nvl && holds_both(group.devices);
                                  });
}

bool meets(const NodeClass& node_class, const GpuRequirement& need, DeviceMask set) {
  const std::vector<std::uint32_t> devices = members(node_class, set);
  if (devices.size() <= 1) return true;
  // Only links connect devices through other devices. A mask of a partition contains both devices of a pair
  // or not.
  const GpuMode mode = need.level == GpuLevel::nvl ? need.mode : GpuMode::clique;
  DeviceMask all = 0;
  for (const std::uint32_t d : devices) all |= bit(d);
  switch (mode) {
    case GpuMode::clique:
      return std::all_of(devices.begin(), devices.end(), [&](std::uint32_t a) {
        return std::all_of(devices.begin(), devices.end(), [&](std::uint32_t b) {
          return a == b || are_related(node_class, need.level, a, b);
        });
      });
    case GpuMode::connected: return reached(node_class, need.level, devices.front(), all) == all;
    case GpuMode::same:
      return (all &
              ~reached(node_class, need.level, devices.front(), first_bits(node_class.devices.size()))) == 0;
  }
  return false;
}

bool meets(const NodeClass& node_class, const NicRequirement& need, DeviceMask set) {
  const std::vector<std::uint32_t> devices = members(node_class, set);
  if (devices.empty()) return true;
  if (!node_class.nics_known) return false;
  const auto is_near = [&](std::uint32_t device, const NodeClass::Nic& nic) {
    return (near(node_class, nic, need.level) & bit(device)) != 0;
  };
  if (need.per_gpu) {
    return std::all_of(devices.begin(), devices.end(), [&](std::uint32_t d) {
      return std::any_of(node_class.nics.begin(), node_class.nics.end(),
                         [&](const NodeClass::Nic& nic) { return is_near(d, nic); });
    });
  }
  return std::any_of(node_class.nics.begin(), node_class.nics.end(), [&](const NodeClass::Nic& nic) {
    return std::all_of(devices.begin(), devices.end(), [&](std::uint32_t d) { return is_near(d, nic); });
  });
}

bool are_of_models(const NodeClass& node_class, std::span<const std::string> models, DeviceMask set) {
  if (models.empty()) return true;
  const std::vector<std::uint32_t> devices = members(node_class, set);
  return std::all_of(devices.begin(), devices.end(), [&](std::uint32_t d) {
    return std::any_of(models.begin(), models.end(), [&](const std::string& model) {
      return names_model(model, node_class.devices[d].model);
    });
  });
}

bool are_of_one_model(const NodeClass& node_class, DeviceMask set) {
  const std::vector<std::uint32_t> devices = members(node_class, set);
  if (devices.size() <= 1) return true;
  const std::string first = fold_model(node_class.devices[devices.front()].model);
  return !first.empty() && std::all_of(devices.begin(), devices.end(), [&](std::uint32_t d) {
    return fold_model(node_class.devices[d].model) == first;
  });
}

std::uint64_t numa_nodes_of(const NodeClass& node_class, DeviceMask set) {
  std::uint64_t nodes = 0;
  for (std::size_t n = 0; n < node_class.numa.size() && n < 64; ++n)
    nodes |= (node_class.numa[n] & set) != 0 ? bit(n) : 0;
  return nodes;
}

bool are_in_numa_nodes(const NodeClass& node_class, DeviceMask set) {
  DeviceMask placed = 0;
  for (const DeviceMask mask : node_class.numa) placed |= mask;
  return (set & first_bits(node_class.devices.size()) & ~placed) == 0;
}

}  // namespace cede
