// SPDX-License-Identifier: MIT
#include "search/enumerator.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace cede {

std::optional<std::vector<Criterion>> Enumerator::best(const std::vector<const Unit*>& units) {
  std::optional<std::vector<Criterion>> best;
  for (std::uint64_t mask = 1; mask < std::uint64_t{1} << units.size(); ++mask) {
    std::vector<const Unit*> set;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if ((mask >> i & 1) != 0) set.push_back(units[i]);
    }
    if (!legal(set, units) || !fits_without(set)) continue;
    std::vector<Criterion> worth = objective_.worth(set, {}).shown;
    if (!best || compare(worth, *best) < 0) best = std::move(worth);
  }
  return best;
}

// At most max_victims jobs; an elastic job whole or in part, and whole only where its spare tasks would not
// do.
bool Enumerator::legal(const std::vector<const Unit*>& set, const std::vector<const Unit*>& all) {
  std::set<std::uint32_t> jobs;
  for (const Unit* unit : set) {
    jobs.insert(unit->job.value);
    if (!unit->whole_elastic) continue;
    std::vector<const Unit*> instead;
    for (const Unit* other : set) {
      if (other->job == unit->job && other != unit) return false;
      if (other != unit) instead.push_back(other);
    }
    const std::size_t others = instead.size();
    for (const Unit* part : all) {
      if (part->job == unit->job && !part->whole_elastic) instead.push_back(part);
    }
    if (instead.size() > others && fits_without(instead)) return false;
  }
  return max_victims_ < 0 || static_cast<std::int64_t>(jobs.size()) <= max_victims_;
}

bool Enumerator::fits_without(const std::vector<const Unit*>& set) {
  gone_.assign(model_.tasks.id_bound(), false);
  for (const Unit* unit : set) {
    for (const TaskId task : unit->tasks) gone_[task.value] = true;
  }
  assigned_.assign(asking_.request.tasks.size(), NodeId{});
  return assign(0);
}

bool Enumerator::assign(std::size_t task) {
  if (task == assigned_.size()) return holds();
  for (const NodeId node : usable_) {
    const NameId required = asking_.request.tasks[task].required_node;
    if (required != kNoName && required != model_.nodes[node].name) continue;
    assigned_[task] = node;
    if (assign(task + 1)) return true;
  }
  return false;
}

// Counts everything anew for the assignment at hand.
bool Enumerator::holds() const {
  const JobCore& requester = model_.jobs[asking_.request.job];
  const std::uint32_t gpu = model_.find_resource("gpu");
  std::map<std::pair<std::uint32_t, std::uint32_t>, Total> on_node;   // node, resource
  std::map<std::pair<std::uint32_t, std::uint32_t>, Total> in_queue;  // queue, resource
  std::map<std::uint32_t, Total> in_group;
  std::map<std::uint32_t, Total> wanted;
  std::map<std::uint32_t, std::uint32_t> tasks_on;
  std::map<std::uint32_t, Amount> whole_wanted;
  const auto count = [&](std::uint32_t node, QueueId queue, ShapeId shape) {
    for (const ResourceAmount& entry : model_.shape(shape)) {
      on_node[{node, entry.resource}] += entry.amount;
      in_group[entry.resource] += entry.amount;
      for (QueueId q = queue; q; q = model_.queues[q].parent)
        in_queue[{q.value, entry.resource}] += entry.amount;
    }
  };
  model_.jobs.for_each([&](JobId, const JobCore& job) {
    if (job.group != requester.group) return;
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskId id{job.first_task.value + k};
      const TaskCore& task = model_.tasks.core(id);
      if (!task.node || gone_[id.value]) continue;
      count(task.node.value, job.queue, task.resources);
    }
  });
  for (std::size_t i = 0; i < assigned_.size(); ++i) {
    const ShapeId shape = asking_.request.tasks[i].resources;
    count(assigned_[i].value, requester.queue, shape);
    ++tasks_on[assigned_[i].value];
    for (const ResourceAmount& entry : model_.shape(shape)) {
      wanted[entry.resource] += entry.amount;
      if (entry.resource == gpu) whole_wanted[assigned_[i].value] += entry.amount;
    }
  }
  const ResourceView counted = model_.shape(model_.groups[requester.group].resources);
  for (const ResourceAmount& entry : counted) {
    if (wanted[entry.resource] > 0 && in_group[entry.resource] > entry.amount) return false;
  }
  for (const NodeId node : assigned_) {
    for (const auto& [resource, amount] : wanted) {
      if (amount == 0 || amount_of(counted, resource, kNoAmount) != kNoAmount) continue;
      if (on_node[{node.value, resource}] > amount_of(model_.shape(model_.nodes[node].resources), resource))
        return false;
    }
  }
  for (QueueId queue = requester.queue; queue; queue = model_.queues[queue].parent) {
    for (const ResourceAmount& bound : model_.shape(model_.queues[queue].max)) {
      if (wanted[bound.resource] > 0 && in_queue[{queue.value, bound.resource}] > bound.amount) return false;
    }
  }
  // Whole devices only: as many must be free as are asked for on the node.
  for (const auto& [node, amount] : whole_wanted) {
    const NodeRow& row = model_.nodes[NodeId{node}];
    if (model_.device_count(row) == 0) continue;
    DeviceMask busy = 0;
    bool unknown = false;
    for (TaskId task = row.first_task; task; task = model_.tasks.core(task).next_on_node) {
      if (gone_[task.value]) continue;
      const TaskExtras& extras = model_.tasks.extras(task);
      unknown = unknown ||
                (!extras.gpus_given && amount_of(model_.shape(model_.tasks.core(task).resources), gpu) > 0);
      busy |= model_.tasks.core(task).gpus;
      for (const DeviceShare& share : model_.shares(extras)) busy |= DeviceMask{1} << share.device;
    }
    const auto free = static_cast<Amount>(model_.device_count(row)) - std::popcount(busy);
    if (!unknown && free * kOne < amount) return false;
  }
  const RequirementId require = model_.job_extras[asking_.request.job.value].require;
  if (!require) return true;
  const Requirement& r = *model_.requirements[require.value];
  if (tasks_on.size() < r.nodes.min || tasks_on.size() > r.nodes.max) return false;
  return std::all_of(tasks_on.begin(), tasks_on.end(), [&](const auto& pair) {
    return pair.second >= r.tasks_per_node.min && pair.second <= r.tasks_per_node.max;
  });
}

}  // namespace cede
