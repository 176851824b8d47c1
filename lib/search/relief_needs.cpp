// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text.h"
#include "search/needs.h"

namespace cede {

Total ReliefNeeds::held_by_job(const Space& space, std::uint32_t resource) const {
  const Model& model = context_.model();
  const JobCore& job = model.jobs[context_.request.job];
  space.work().spend(2 * job.task_rows);
  Total sum = 0;
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const TaskId task{job.first_task.value + k};
    if (model.tasks.core(task).node && space.holds(task))
      sum += amount_of(model.shape(model.tasks.core(task).resources), resource);
  }
  return sum;
}

std::vector<ReliefNeeds::Excess> ReliefNeeds::excesses(const Space& space) const {
  const Model& model = context_.model();
  const Request& request = context_.request;
  space.work().spend(10 + model.resources.size());
  std::vector<Excess> out;
  if (request.purpose == Purpose::relief_node) {
    const NodeSpace& node = space.node(space.index_of(request.node));
    for (std::uint32_t r = 0; r < model.resources.size(); ++r) {
      if (!space.counted_by_group(r) && node.free[r] < 0) out.push_back({r, -node.free[r]});
    }
    return out;
  }
  const bool of_queue = request.purpose == Purpose::relief_queue;
  const ShapeId bounds = of_queue ? model.queues[request.queue].max : model.job_extras[request.job.value].max;
  for (const ResourceAmount& bound : model.shape(bounds)) {
    const Total used =
        of_queue ? space.usage().used(request.queue, bound.resource) : held_by_job(space, bound.resource);
    if (used > bound.amount) out.push_back({bound.resource, used - bound.amount});
  }
  return out;
}

bool ReliefNeeds::are_met(const Space& space, NodeList) const { return excesses(space).empty(); }

bool ReliefNeeds::place(const Space& space, NodeList, Placement& out) const {
  out = {};
  return excesses(space).empty();
}

bool ReliefNeeds::serves(const Unit& unit, const Space& space) const {
  const Model& model = context_.model();
  const Request& request = context_.request;
  if (!at_first_) at_first_ = excesses(space);
  for (const Excess& excess : *at_first_) {
    for (const TaskId task : unit.tasks) {
      const TaskCore& core = model.tasks.core(task);
      if (amount_of(model.shape(core.resources), excess.resource) == 0) continue;
      if (request.purpose == Purpose::relief_node && core.node == request.node) return true;
      if (request.purpose == Purpose::relief_job && unit.job == request.job) return true;
      if (request.purpose == Purpose::relief_queue &&
          model.is_below(model.jobs[unit.job].queue, request.queue))
        return true;
    }
  }
  return false;
}

std::string ReliefNeeds::over(const Space& space) const {
  const Model& model = context_.model();
  std::vector<Excess> left = excesses(space);
  std::sort(left.begin(), left.end(), [&](const Excess& a, const Excess& b) {
    return model.resource_name(a.resource) < model.resource_name(b.resource);
  });
  std::string out;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (i > 0) out += i + 1 == left.size() ? " and " : ", ";
    out += format_total(left[i].over) + ' ' + std::string(model.resource_name(left[i].resource));
  }
  return out;
}

std::string ReliefNeeds::missing(const Space& space) const {
  const std::string left = over(space);
  return left.empty() ? left : "it would still be " + left + " over";
}

}  // namespace cede
