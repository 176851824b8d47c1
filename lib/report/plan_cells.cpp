// SPDX-License-Identifier: MIT
#include "report/plan_cells.h"

#include <algorithm>
#include <map>
#include <set>

namespace cede {

namespace {

// The nodes, by name.
std::map<std::string_view, NodeId> touched_nodes(const Plan& plan) {
  const Model& model = plan.model();
  std::map<std::string_view, NodeId> nodes;
  const auto add = [&](NodeId id) { nodes.emplace(model.name(model.nodes[id].name), id); };
  for (const PlannedVictim& victim : plan.victims) {
    for (const TaskId task : victim.tasks) add(model.tasks.core(task).node);
  }
  for (const PlannedTask& task : plan.placement) add(task.node);
  if (plan.outcome == Outcome::preempt) {
    if (plan.subject.node) add(plan.subject.node);
    for (const NodeId id : plan.subject.claimed) add(id);
  }
  return nodes;
}

class NodePainter {
 public:
  explicit NodePainter(const Plan& plan)
      : plan_(plan), model_(plan.model()), gpu_(plan.model().find_resource("gpu")) {
    for (const PlannedVictim& victim : plan.victims) {
      for (const TaskId task : victim.tasks) leaving_.insert(task.value);
    }
  }

  std::string paint(NodeId id) {
    const NodeRow& row = model_.nodes[id];
    cells_.assign(model_.device_count(row), '.');
    // If a task states only how many devices it holds, every cell without a known holder is unknown, not
    // free.
    DeviceMask kept = 0, leaving = 0;
    bool unknown = false;
    for (TaskId task = row.first_task; task; task = model_.tasks.core(task).next_on_node) {
      const TaskCore& core = model_.tasks.core(task);
      DeviceMask mask = core.gpus;
      for (const DeviceShare& share : model_.shares(model_.tasks.extras(task)))
        mask |= DeviceMask{1} << share.device;
      unknown = unknown || (mask == 0 && amount_of(model_.shape(core.resources), gpu_) > 0);
      (leaving_.contains(task.value) ? leaving : kept) |= mask;
    }
    // A shared device of a victim and of another task is shown as the victim's, because the map shows
    // changes.
    paint(kept, 'K');
    paint(leaving, 'V');
    for (const PlannedTask& task : plan_.placement) {
      if (task.node != id) continue;
      unknown = unknown || !task.devices_known;
      paint(task.gpus | (task.share > 0 ? DeviceMask{1} << task.share_device : 0), '+');
    }
    if (unknown) std::replace(cells_.begin(), cells_.end(), '.', '?');
    return cells_;
  }

 private:
  void paint(DeviceMask mask, char cell) {
    for (std::size_t d = 0; d < cells_.size(); ++d) {
      if ((mask >> d & 1) != 0) cells_[d] = cell == '+' && cells_[d] == 'V' ? '*' : cell;
    }
  }

  const Plan& plan_;
  const Model& model_;
  const std::uint32_t gpu_;
  std::set<std::uint32_t> leaving_;
  std::string cells_;
};

}  // namespace

std::vector<NodeCells> plan_cells(const Plan& plan) {
  NodePainter painter(plan);
  std::vector<NodeCells> out;
  for (const auto& [name, id] : touched_nodes(plan)) out.push_back({name, painter.paint(id)});
  return out;
}

}  // namespace cede
