// SPDX-License-Identifier: MIT
#include "search/space.h"

#include <algorithm>

namespace cede {

DeviceMask NodeSpace::all_devices() const {
  return devices >= kMaxDevices ? ~DeviceMask{0} : (DeviceMask{1} << devices) - 1;
}

DeviceMask NodeSpace::free_devices() const {
  DeviceMask mask = all_devices() & ~whole;
  for (std::uint32_t d = 0; d < shared.size(); ++d) {
    if (shared[d] > 0) mask &= ~(DeviceMask{1} << d);
  }
  return mask;
}

Space::Space(const Asking& asking, Fill fill)
    : asking_(asking),
      model_(asking.model()),
      resources_(asking.usage.resources()),
      gpu_(model_.find_resource("gpu")),
      usage_(fill == Fill::empty ? asking.usage.emptied() : asking.usage),
      node_index_(model_.nodes.id_bound(), ResourceId::kNoValue),
      group_free_(resources_, 0),
      holds_(model_.tasks.id_bound(), false) {
  for (const ResourceAmount& entry : model_.shape(model_.groups[asking.group()].resources))
    group_free_[entry.resource] = entry.amount;
  std::vector<NodeId> ids;
  model_.nodes.for_each([&](NodeId id, const NodeRow& row) {
    if (row.group == asking.group()) ids.push_back(id);
  });
  std::sort(ids.begin(), ids.end(), [&](NodeId a, NodeId b) {
    return model_.name(model_.nodes[a].name) < model_.name(model_.nodes[b].name);
  });
  nodes_.resize(ids.size());
  free_.assign(ids.size() * resources_, 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const NodeRow& row = model_.nodes[ids[i]];
    node_index_[ids[i].value] = static_cast<std::uint32_t>(i);
    NodeSpace& space = nodes_[i];
    space.id = ids[i];
    space.devices = model_.device_count(row);
    space.free = &free_[i * resources_];
    for (const ResourceAmount& entry : model_.shape(row.resources)) space.free[entry.resource] = entry.amount;
  }
  if (fill == Fill::as_it_is) {
    for (NodeSpace& space : nodes_) {
      for (TaskId task = model_.nodes[space.id].first_task; task; task = model_.tasks.core(task).next_on_node)
        move(task, 1);
    }
    block_what_is_kept();
  }
  for (NodeSpace& space : nodes_) space.unknown_pool = space.all_devices() & ~space.whole;
}

// Victims leave more than their requester takes, and some nodes are kept as a whole.
void Space::block_what_is_kept() {
  for (const InFlight::Blocked& each : asking_.in_flight.blocked) {
    if (each.group != asking_.group()) continue;
    if (each.queue && asking_.queue() && model_.is_below(asking_.queue(), each.queue)) continue;
    Kept kept;
    for (const InFlight::Hold& hold : asking_.in_flight.holds) {
      if (hold.entry == each.entry) kept.with = hold.tasks.front();
    }
    kept.amounts = each.amounts;
    kept.shares = each.shares;
    kept.unknown = each.unknown;
    if (each.node) {
      kept.node = index_of(each.node);
      const NodeSpace& node = nodes_[kept.node];
      // Should a manager have put somebody there all the same, giving up the hold does not free it.
      kept.gpus = each.gpus & ~node.whole;
      if (each.whole_node) {
        kept.gpus = node.free_devices();
        for (std::uint32_t r = 0; r < resources_; ++r) {
          if (node.free[r] > 0) kept.amounts.push_back({static_cast<Amount>(node.free[r]), r, 0});
        }
      }
    }
    kept_.push_back(std::move(kept));
    block(kept_.back(), 1);
  }
}

void Space::block(const Kept& kept, int sign) {
  if (kept.node == ResourceId::kNoValue) {
    for (const ResourceAmount& entry : kept.amounts)
      group_free_[entry.resource] -= static_cast<Total>(sign) * entry.amount;
    return;
  }
  NodeSpace& node = nodes_[kept.node];
  const std::uint32_t cpu = model_.find_resource("cpu");
  for (const ResourceAmount& entry : kept.amounts) {
    node.free[entry.resource] -= static_cast<Total>(sign) * entry.amount;
    if (entry.resource == cpu) node.blocked_cpu += static_cast<Total>(sign) * entry.amount;
  }
  node.blocked = static_cast<std::uint32_t>(static_cast<int>(node.blocked) + sign);
  node.unknown =
      static_cast<std::uint32_t>(static_cast<int>(node.unknown) + sign * static_cast<int>(kept.unknown));
  node.whole ^= kept.gpus;
  for (const DeviceShare& share : kept.shares) {
    if (node.shared.empty()) node.shared.assign(node.devices, 0);
    node.shared[share.device] =
        static_cast<std::uint16_t>(node.shared[share.device] + sign * static_cast<int>(share.share));
  }
}

void Space::release(TaskId task) {
  move(task, -1);
  usage_.release(asking_.effective, task);
}

void Space::take(TaskId task) {
  move(task, 1);
  usage_.take(asking_.effective, task);
}

void Space::move(TaskId id, int sign) {
  const TaskCore& task = model_.tasks.core(id);
  const TaskExtras& extras = model_.tasks.extras(id);
  NodeSpace& node = nodes_[node_index_[task.node.value]];
  holds_[id.value] = sign > 0;
  for (const Kept& kept : kept_) {
    if (kept.with == id) block(kept, sign);
  }
  Amount gpus = 0;
  for (const ResourceAmount& entry : model_.shape(task.resources)) {
    const Total change = static_cast<Total>(sign) * entry.amount;
    (counted_by_group(entry.resource) ? group_free_[entry.resource] : node.free[entry.resource]) -= change;
    if (entry.resource == gpu_) gpus = entry.amount;
  }
  if (!extras.gpus_given) {
    const auto held = static_cast<int>(std::min<Amount>((gpus + kOne - 1) / kOne, node.devices));
    node.unknown = static_cast<std::uint32_t>(static_cast<int>(node.unknown) + sign * held);
    return;
  }
  // A device is held whole by one task at most, so taking and giving back is one flip.
  node.whole ^= task.gpus;
  for (const DeviceShare& share : model_.shares(extras)) {
    if (node.shared.empty()) node.shared.assign(node.devices, 0);
    node.shared[share.device] =
        static_cast<std::uint16_t>(node.shared[share.device] + sign * static_cast<int>(share.share));
  }
}

}  // namespace cede
