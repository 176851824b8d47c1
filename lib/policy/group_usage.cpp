// SPDX-License-Identifier: MIT
#include "policy/group_usage.h"

#include <algorithm>
#include <utility>

namespace cede {

bool is_fixed(const EffectiveSettings& effective, JobId job) {
  const JobCore& core = effective.model().jobs[job];
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    if (effective.preemptible(TaskId{core.first_task.value + k}) == Preemptible::no) return true;
  }
  return false;
}

GroupUsage::GroupUsage(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight,
                       Jobs jobs)
    : group_(group), capacity_(effective.model().resources.size(), 0), by_group_(capacity_.size(), false) {
  const Model& model = effective.model();
  const std::size_t cells = model.queues.id_bound() * capacity_.size();
  used_.assign(cells, 0);
  fixed_used_.assign(cells, 0);
  fixed_requested_.assign(cells, 0);
  set_surplus(in_flight);
  for (const ResourceAmount& entry : model.shape(model.groups[group].resources)) {
    by_group_[entry.resource] = true;
    capacity_[entry.resource] = entry.amount;
  }
  // Equal nodes often follow each other, so each run of equal nodes is counted at once.
  NodeRow like;
  int alike = 0;
  model.nodes.for_each([&](NodeId, const NodeRow& row) {
    if (row.group != group) return;
    if (row.resources != like.resources || row.state != like.state) {
      count_node(model, like, std::exchange(alike, 0));
      like = row;
    }
    ++alike;
  });
  count_node(model, like, alike);
  if (jobs == Jobs::none) return;
  model.jobs.for_each([&](JobId id, const JobCore& job) {
    if (job.group == group) count_job(effective, id, 1);
  });
}

void GroupUsage::count_node(const Model& model, const NodeRow& node, int sign) {
  if (node.state != NodeState::up) return;
  for (const ResourceAmount& entry : model.shape(node.resources)) {
    if (!by_group_[entry.resource]) capacity_[entry.resource] += static_cast<Total>(sign) * entry.amount;
  }
}

void GroupUsage::count_job(const EffectiveSettings& effective, JobId id, int sign) {
  const Model& model = effective.model();
  const JobCore& job = model.jobs[id];
  const bool fixed = is_fixed(effective, id);
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const TaskCore& task = model.tasks.core(TaskId{job.first_task.value + k});
    if (task.node) add(fixed ? fixed_used_ : used_, model, job.queue, task.resources, sign);
    if (fixed)
      add(fixed_requested_, model, job.queue, task.resources, static_cast<std::int64_t>(task.count) * sign);
  }
}

void GroupUsage::add(const Model& model, const Tally& tally) {
  model.queues.for_each([&](QueueId queue, const QueueRow&) {
    for (std::uint32_t r = 0; r < resources(); ++r) {
      const Total used = at(tally.used_, queue, r);
      const Total fixed = at(tally.fixed_, queue, r);
      for (QueueId above = queue; above && (used != 0 || fixed != 0); above = model.queues[above].parent) {
        const std::size_t cell = above.value * resources() + r;
        used_[cell] += used;
        fixed_used_[cell] += fixed;
        fixed_requested_[cell] += fixed;
      }
    }
  });
}

Total GroupUsage::occupied(QueueId queue, std::uint32_t resource) const {
  return used(queue, resource) + (surplus_.empty() ? Total{0} : at(surplus_, queue, resource));
}

GroupUsage GroupUsage::beside(const InFlight& in_flight) const {
  GroupUsage out = *this;
  out.set_surplus(in_flight);
  return out;
}

void GroupUsage::set_surplus(const InFlight& in_flight) {
  surplus_.clear();
  if (in_flight.any_surplus()) surplus_.resize(used_.size());
  in_flight.each_surplus_sum([&](const InFlight::QueueSurplus& each) {
    if (each.group == group_) surplus_[each.queue.value * capacity_.size() + each.resource] += each.amount;
  });
}

void GroupUsage::count_surplus(const InFlight& in_flight, std::uint64_t entry, int sign) {
  const InFlight::Room* const room = in_flight.room_of(entry);
  if (surplus_.empty() || !room || in_flight.lends(entry)) return;
  for (const InFlight::QueueSurplus& each : room->surplus) {
    if (each.group != group_) continue;
    surplus_[each.queue.value * capacity_.size() + each.resource] += static_cast<Total>(sign) * each.amount;
  }
}

void GroupUsage::release_surplus(const InFlight& in_flight, std::uint64_t entry) {
  count_surplus(in_flight, entry, -1);
}

void GroupUsage::take_surplus(const InFlight& in_flight, std::uint64_t entry) {
  count_surplus(in_flight, entry, 1);
}

GroupUsage GroupUsage::emptied() const {
  GroupUsage empty = *this;
  empty.surplus_.clear();
  for (Table* table : {&empty.used_, &empty.fixed_used_, &empty.fixed_requested_}) {
    std::fill(table->begin(), table->end(), 0);
  }
  return empty;
}

void GroupUsage::add(Table& table, const Model& model, QueueId queue, ShapeId shape, std::int64_t count) {
  for (const ResourceAmount& entry : model.shape(shape)) {
    for (QueueId at = queue; at; at = model.queues[at].parent) {
      table[at.value * capacity_.size() + entry.resource] += static_cast<Total>(entry.amount) * count;
    }
  }
}

void GroupUsage::move(const Model& model, TaskId id, bool fixed, int sign) {
  const TaskCore& task = model.tasks.core(id);
  add(fixed ? fixed_used_ : used_, model, model.jobs[task.job].queue, task.resources, sign);
}

}  // namespace cede
