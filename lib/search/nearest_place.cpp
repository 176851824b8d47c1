// SPDX-License-Identifier: MIT
#include "search/nearest_place.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/text_block.h"
#include "search/choose_victims.h"

namespace cede {

namespace {

// Free amounts against what is asked for, as the scarcest resource.
struct Room {
  std::uint32_t resource = ResourceId::kNoValue;
  Total have = 0;
  Total asked = 0;
  std::int64_t parts = kWhole;  // have / asked in billionths, at most all of it

  void see(const Model& model, std::uint32_t other, Total free, Total wanted) {
    const Total capped = std::clamp<Total>(free, 0, wanted);
    const auto other_parts = static_cast<std::int64_t>(capped * kWhole / wanted);
    const bool first = resource == ResourceId::kNoValue;
    if (!first && other_parts > parts) return;
    // Of equals, the one that a reader looks for.
    const auto is_gpu = [&](std::uint32_t r) { return model.resource_name(r) == "gpu"; };
    if (!first && other_parts == parts && !is_gpu(other) &&
        (is_gpu(resource) || model.resource_name(resource) < model.resource_name(other)))
      return;
    *this = {other, free < 0 ? 0 : free, wanted, other_parts};
  }
};

Room room_on(const Model& model, const Space& space, std::uint32_t node, ShapeId task) {
  Room room;
  for (const ResourceAmount& each : model.shape(task)) {
    if (each.amount > 0 && !space.counted_by_group(each.resource))
      room.see(model, each.resource, space.usable(node) ? space.node(node).free[each.resource] : 0,
               each.amount);
  }
  return room;
}

Room room_in(const Placer& placer, const Space& space, const std::vector<std::uint32_t>& nodes) {
  const Model& model = space.model();
  Room room;
  for (std::uint32_t r = 0; r < model.resources.size(); ++r) {
    if (placer.asked(r) == 0) continue;
    Total free = space.counted_by_group(r) ? space.group_free(r) : 0;
    for (std::size_t i = 0; i < nodes.size() && !space.counted_by_group(r); ++i) {
      const std::uint32_t node = nodes[i];
      if (space.usable(node)) free += std::max<Total>(0, space.node(node).free[r]);
    }
    room.see(model, r, free, placer.asked(r));
  }
  return room;
}

std::uint32_t tasks_on(const DecisionContext& context, const DeviceAllocator* allocator, const Space& space,
                       std::uint32_t node) {
  if (!allocator || !space.usable(node)) return 0;
  return allocator->capacity(space, node, static_cast<std::uint32_t>(context.request.tasks.size()));
}

std::string of_resource(const Model& model, Total have, Total asked, std::uint32_t resource) {
  return format_total(have) + " of " + format_total(asked) + ' ' + std::string(model.resource_name(resource));
}

std::uint32_t next_node(const DecisionContext& context, const Space& space, const Place& place) {
  std::int64_t most = 0;
  std::uint32_t next = NodeId::kNoValue;
  for (const std::uint32_t node : place.nodes) {
    const Room room = room_on(context.model, space, node, context.request.tasks.front().resources);
    if (room.resource == ResourceId::kNoValue || room.parts == kWhole || room.parts <= most) continue;
    most = room.parts;
    next = node;
  }
  return next;
}

// The nodes of each place, with its name.
std::vector<Place> places(const DecisionContext& context, const Placer& placer, const Space& space) {
  const Model& model = context.model;
  const NodeAttributes& attributes = placer.arranger().attributes();
  const bool one_task = context.request.tasks.size() == 1;  // on one node, wherever that is
  const std::uint32_t level = one_task ? kNowhere : single_domain_level(attributes, placer.need().require());
  std::vector<Place> out;
  if (level != kNowhere) {
    std::map<std::uint32_t, Place> by_domain;
    for (std::uint32_t i = 0; i < space.size(); ++i) {
      const std::uint32_t domain = attributes.domains(i)[level];
      if (domain != kNowhere) by_domain[domain].nodes.push_back(i);
    }
    model.domains.for_each([&](DomainId id, const DomainRow& row) {
      const auto at = by_domain.find(space.table().domain_numbers()[id.value]);
      if (row.level == level && at != by_domain.end())
        at->second.name = std::string(model.name(model.levels[level])) + ' ' + quote(model.name(row.name));
    });
    for (auto& [number, place] : by_domain) out.push_back(std::move(place));
    return out;
  }
  if (one_task) {
    out.resize(space.size());
    for (std::uint32_t i = 0; i < space.size(); ++i) out[i].nodes = {i};
    return out;
  }
  Place group;
  group.name = "group " + quote(model.name(model.groups[context.request.group].name));
  for (std::uint32_t i = 0; i < space.size(); ++i) group.nodes.push_back(i);
  out.push_back(std::move(group));
  return out;
}

}  // namespace

std::vector<Place> roomiest_places(const DecisionContext& context, const Placer& placer, const Space& space,
                                   std::size_t most) {
  const Model& model = context.model;
  const DeviceAllocator* const allocator = placer.arranger().only_allocator();
  std::vector<Place> all = places(context, placer, space);
  struct Rank {
    std::uint64_t tasks;
    std::int64_t parts;
    std::size_t place;
  };
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Place& place = all[i];
    const Room room = room_in(placer, space, place.nodes);
    place.resource = room.resource;
    place.have = room.have;
    place.asked = room.asked;
    for (const std::uint32_t node : place.nodes) {
      if (place.tasks < context.request.tasks.size())
        place.tasks += tasks_on(context, allocator, space, node);
    }
    place.tasks = std::min<std::uint64_t>(place.tasks, context.request.tasks.size());
    ranks.push_back({place.tasks, room.parts, i});
  }
  const auto better = [](const Rank& a, const Rank& b) {
    if (a.tasks != b.tasks) return a.tasks > b.tasks;
    return a.parts != b.parts ? a.parts > b.parts : a.place < b.place;
  };
  const std::size_t kept = std::min(most, ranks.size());
  std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(kept), ranks.end(), better);
  std::vector<Place> out;
  for (std::size_t i = 0; i < kept; ++i) {
    Place& place = all[ranks[i].place];
    if (place.name.empty())
      place.name = "node " + quote(model.name(model.nodes[space.node(place.nodes.front()).id].name));
    if (allocator) place.next = next_node(context, space, place);
    out.push_back(std::move(place));
  }
  return out;
}

std::string what_is_missing(const DecisionContext& context, const Placer& placer, const Space& space,
                            const Place& place) {
  const Model& model = context.model;
  const std::size_t tasks = context.request.tasks.size();
  if (place.resource != ResourceId::kNoValue && place.have < place.asked)
    return "it has " + of_resource(model, place.have, place.asked, place.resource);
  const DeviceAllocator* const allocator = placer.arranger().only_allocator();
  if (!allocator || tasks == 1 || place.tasks >= tasks) {
    const std::string hindrance = placer.hindrance(space);
    return hindrance.empty() ? "what is free there does not hold its " + counted(tasks, "task")
                             : "what is free there does not meet the requirement " + hindrance;
  }
  std::string out =
      "it has room for " + std::to_string(place.tasks) + " of " + std::to_string(tasks) + " tasks";
  if (place.next == NodeId::kNoValue) return out;
  const Room room = room_on(model, space, place.next, context.request.tasks.front().resources);
  return out + "; node " + quote(model.name(model.nodes[space.node(place.next).id].name)) + " has " +
         of_resource(model, room.have, room.asked, room.resource) + " for the next";
}

}  // namespace cede
