// SPDX-License-Identifier: MIT
#include "search/space.h"

#include <algorithm>

namespace cede {

DeviceMask NodeSpace::free_devices() const {
  DeviceMask mask = devices >= kMaxDevices ? ~DeviceMask{0} : (DeviceMask{1} << devices) - 1;
  mask &= ~whole;
  for (std::uint32_t d = 0; d < devices; ++d) {
    if (shared[d] > 0) mask &= ~(DeviceMask{1} << d);
  }
  return mask;
}

Space::Space(const Model& model, GroupId group, Fill fill)
    : model_(model),
      group_(group),
      resources_(model.resources.size()),
      gpu_(model.find_resource("gpu")),
      node_index_(model.nodes.id_bound(), ResourceId::kNoValue),
      group_free_(resources_, kUnlimited),
      usage_(model.queues.id_bound() * resources_, 0),
      capacity_(resources_, 0) {
  for (const ResourceAmount& entry : model.shape(model.groups[group].resources)) {
    group_free_[entry.resource] = entry.amount;
    capacity_[entry.resource] = entry.amount;
  }
  std::vector<NodeId> ids;
  model.nodes.for_each([&](NodeId id, const NodeRow& row) {
    if (row.group == group) ids.push_back(id);
  });
  std::sort(ids.begin(), ids.end(), [&](NodeId a, NodeId b) {
    return model.name(model.nodes[a].name) < model.name(model.nodes[b].name);
  });
  nodes_.reserve(ids.size());
  for (const NodeId id : ids) {
    const NodeRow& row = model.nodes[id];
    node_index_[id.value] = static_cast<std::uint32_t>(nodes_.size());
    NodeSpace& space = nodes_.emplace_back();
    space.id = id;
    space.devices = model.device_count(row);
    space.free.assign(resources_, 0);
    for (const ResourceAmount& entry : model.shape(row.resources)) {
      space.free[entry.resource] = entry.amount;
      if (row.state == NodeState::up && !counted_by_group(entry.resource))
        capacity_[entry.resource] += entry.amount;
    }
  }
  if (fill == Fill::empty) return;
  for (const NodeSpace& space : nodes_) {
    for (TaskId task = model.nodes[space.id].first_task; task; task = model.tasks.core(task).next_on_node)
      take(task);
  }
}

void Space::release(TaskId task) { move(task, -1); }
void Space::take(TaskId task) { move(task, 1); }

void Space::move(TaskId id, int sign) {
  const TaskCore& task = model_.tasks.core(id);
  const TaskExtras& extras = model_.tasks.extras(id);
  NodeSpace& node = nodes_[node_index_[task.node.value]];
  bool holds_devices = false;
  for (const ResourceAmount& entry : model_.shape(task.resources)) {
    const Total change = static_cast<Total>(sign) * entry.amount;
    if (counted_by_group(entry.resource)) {
      group_free_[entry.resource] -= change;
    } else {
      node.free[entry.resource] -= change;
    }
    if (entry.resource == gpu_) holds_devices = true;
    for (QueueId queue = model_.jobs[task.job].queue; queue; queue = model_.queues[queue].parent) {
      usage_[queue.value * resources_ + entry.resource] += change;
    }
  }
  if (!extras.gpus_given) {
    if (holds_devices && node.devices > 0) node.unknown_holders += static_cast<std::uint32_t>(sign);
    return;
  }
  node.whole ^=
      task.gpus;  // a device is held whole by one task at most, so taking and giving back is one flip
  for (const DeviceShare& share : model_.shares(extras)) {
    node.shared[share.device] =
        static_cast<std::uint16_t>(node.shared[share.device] + sign * static_cast<int>(share.share));
  }
}

}  // namespace cede
