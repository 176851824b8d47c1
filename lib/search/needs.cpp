// SPDX-License-Identifier: MIT
#include "search/needs.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

bool RequestNeeds::are_met(const Space& space, NodeList within) const {
  space.work().spend(20);
  return queue_shortfalls(context_, space.usage()).empty() &&
         placer_.fits(space, within) == PlacementResult::placed;
}

bool RequestNeeds::place(const Space& space, NodeList within, Placement& out) const {
  return queue_shortfalls(context_, space.usage()).empty() &&
         placer_.place(space, within, out) == PlacementResult::placed && keeps_one_node(space, out);
}

// Whether a task of this shape frees something that the request asks for.
bool RequestNeeds::frees(ShapeId shape, bool usable, const Space& space) const {
  constexpr std::uint64_t kWorkedOut = 4;
  std::atomic<std::uint64_t>& known = known_[shape % kKnown];
  std::uint64_t answer = known.load(std::memory_order_relaxed);
  if (answer >> 3 != shape || (answer & kWorkedOut) == 0) {
    answer = std::uint64_t{shape} << 3 | kWorkedOut;
    for (const ResourceAmount& entry : context_.model().shape(shape)) {
      if (placer_.asked(entry.resource) == 0 || entry.amount == 0) continue;
      answer |= space.counted_by_group(entry.resource) ? 3 : 1;
    }
    known.store(answer, std::memory_order_relaxed);
  }
  return (answer & (usable ? 1 : 2)) != 0;
}

bool RequestNeeds::serves(const Unit& unit, const Space& space) const {
  const Model& model = context_.model();
  const Exclusive exclusive = placer_.need().require().exclusive;
  const RequirementId require = model.job_extras[unit.job.value].require;
  const Exclusive unit_exclusive = require ? model.requirements[require.value]->exclusive : Exclusive::none;
  for (const TaskId task : unit.tasks) {
    const TaskCore& core = model.tasks.core(task);
    const bool usable = space.usable(space.index_of(core.node));
    // A request for exclusive nodes is served by every unit that leaves. Every request is served by the
    // leaving of an exclusive unit. Tasks on unusable nodes of a domain also close that domain.
    if (exclusive == Exclusive::domain || unit_exclusive == Exclusive::domain) return true;
    if (usable && (exclusive != Exclusive::none || unit_exclusive != Exclusive::none)) return true;
    if (frees(core.resources, usable, space)) return true;
  }
  return (unit.hold != 0 && frees_kept_room(unit, space)) || makes_room(unit, space.usage());
}

// Whether victims of the hold's entry leave, beyond what its requester takes, something that the request asks
// for.
bool RequestNeeds::frees_kept_room(const Unit& hold, const Space& space) const {
  const std::uint32_t gpu = context_.model().find_resource("gpu");
  const bool asks_devices = gpu != ResourceId::kNoValue && placer_.asked(gpu) > 0;
  const InFlight::Room* const room = context_.in_flight.room_of(hold.hold);
  if (!room) return false;
  const bool lent = context_.in_flight.lends(hold.hold);
  return std::any_of(room->blocked.begin(), room->blocked.end(), [&](const InFlight::Blocked& each) {
    if ((lent && !each.whole_node) || each.group != context_.group()) return false;
    if (each.node && !space.usable(space.index_of(each.node))) return false;
    if (asks_devices && (each.gpus != 0 || !each.shares.empty() || each.unknown > 0)) return true;
    return std::any_of(each.amounts.begin(), each.amounts.end(),
                       [&](const ResourceAmount& part) { return placer_.asked(part.resource) > 0; });
  });
}

namespace {

// The candidates' tasks that count make up the shortfall with what they hold of the resource.
template <class Counts>
Cover cover(const Space& space, std::span<const Unit* const> candidates, Total shortfall,
            std::uint32_t resource, Counts counts) {
  const Model& model = space.model();
  Cover out{shortfall, {}};
  out.gains.reserve(candidates.size());
  for (const Unit* unit : candidates) {
    Total gain = 0;
    for (const TaskId task : unit->tasks) {
      if (counts(task)) gain += amount_of(model.shape(model.tasks.core(task).resources), resource);
    }
    out.gains.push_back(gain);
  }
  space.work().spend(4 * candidates.size());
  return out;
}

}  // namespace

bool RequestNeeds::makes_room(const Unit& unit, const GroupUsage& usage) const {
  const Model& model = context_.model();
  for (const QueueShortfall& shortfall : queue_shortfalls(context_, usage)) {
    if (unit.hold != 0 && context_.in_flight.has_surplus(unit.hold, shortfall.queue, shortfall.resource))
      return true;
    if (!model.is_below(model.jobs[unit.job].queue, shortfall.queue)) continue;
    const bool frees = std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
      return amount_of(model.shape(model.tasks.core(task).resources), shortfall.resource) > 0;
    });
    if (frees) return true;
  }
  return false;
}

std::vector<Cover> RequestNeeds::covers(const Space& space, std::span<const Unit* const> candidates) const {
  const Model& model = context_.model();
  std::vector<Cover> out;
  for (const QueueShortfall& shortfall : queue_shortfalls(context_, space.usage())) {
    out.push_back(
        cover(space, candidates, shortfall.would_be - shortfall.bound, shortfall.resource, [&](TaskId task) {
          return model.is_below(model.jobs[model.tasks.core(task).job].queue, shortfall.queue);
        }));
  }
  return out;
}

bool RequestNeeds::keeps_one_node(const Space& space, const Placement& placement) const {
  // A single task is tried node by node, only with units that are there or make room in a queue.
  const bool by_node = context_.request.tasks.size() == 1;
  if (one_node_ != OneNode::each_task || by_node) return true;
  space.work().spend(context_.units.size());
  return std::all_of(context_.units.begin(), context_.units.end(), [&](const Unit* each) {
    const Unit& unit = *each;
    const auto stays = [&](TaskId task) { return space.holds(task); };
    if (std::any_of(unit.tasks.begin(), unit.tasks.end(), stays)) return true;
    const std::vector<NodeId> nodes = nodes_of(context_.model(), context_.in_flight, unit);
    const bool here = std::any_of(placement.tasks.begin(), placement.tasks.end(), [&](const PlannedTask& to) {
      return std::find(nodes.begin(), nodes.end(), to.node) != nodes.end();
    });
    return here || makes_room(unit, context_.usage);
  });
}

Total free_of(const Space& space, std::uint32_t resource) {
  if (space.counted_by_group(resource)) return space.group_free(resource);
  Total free = 0;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space.usable(i) && space.node(i).free[resource] > 0) free += space.node(i).free[resource];
  }
  return free;
}

std::string RequestNeeds::missing(const Space& space) const {
  const Model& model = context_.model();
  const std::vector<QueueShortfall> shortfall = queue_shortfalls(context_, space.usage());
  if (!shortfall.empty()) return describe(model, first_by_name(model, shortfall));
  Total there = 0;
  const std::uint32_t lacking = first_resource(model, [&](std::uint32_t r) {
    if (placer_.asked(r) == 0) return false;
    const Total free = free_of(space, r);
    if (free < placer_.asked(r)) there = free;
    return free < placer_.asked(r);
  });
  if (lacking != ResourceId::kNoValue) return too_little(model, lacking, placer_.asked(lacking), there);
  return no_arrangement(placer_.hindrance(space), context_.request.tasks.size());
}

std::string too_little(const Model& model, std::uint32_t resource, Total needed, Total there) {
  return format_total(needed) + ' ' + std::string(model.resource_name(resource)) + " needed, " +
         format_total(there) + " there";
}

std::string no_arrangement(const std::string& hindrance, std::size_t tasks) {
  if (!hindrance.empty()) return "no arrangement of its tasks meets the requirement " + hindrance;
  return "no arrangement of its " + std::to_string(tasks) + (tasks == 1 ? " task" : " tasks") +
         " on the nodes holds every one";
}

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

bool ReliefNeeds::counts(TaskId task) const {
  const Model& model = context_.model();
  const Request& request = context_.request;
  const TaskCore& core = model.tasks.core(task);
  switch (request.purpose) {
    case Purpose::relief_node: return core.node == request.node;
    case Purpose::relief_job: return core.job == request.job;
    default: return model.is_below(model.jobs[core.job].queue, request.queue);
  }
}

bool ReliefNeeds::serves(const Unit& unit, const Space& space) const {
  const Model& model = context_.model();
  if (!at_first_) at_first_ = excesses(space);
  return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    const ResourceView held = model.shape(model.tasks.core(task).resources);
    return counts(task) && std::any_of(at_first_->begin(), at_first_->end(), [&](const Excess& excess) {
             return amount_of(held, excess.resource) > 0;
           });
  });
}

std::vector<Cover> ReliefNeeds::covers(const Space& space, std::span<const Unit* const> candidates) const {
  std::vector<Cover> out;
  for (const Excess& excess : excesses(space)) {
    out.push_back(
        cover(space, candidates, excess.over, excess.resource, [&](TaskId task) { return counts(task); }));
  }
  return out;
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
