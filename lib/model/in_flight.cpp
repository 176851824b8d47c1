// SPDX-License-Identifier: MIT
#include "model/in_flight.h"

#include <algorithm>

namespace cede {

namespace {

template <class IdType>
Time time_of(const std::vector<std::pair<IdType, Time>>& times, IdType id) {
  const auto at = std::lower_bound(times.begin(), times.end(), id,
                                   [](const auto& entry, IdType wanted) { return entry.first < wanted; });
  return at != times.end() && at->first == id ? at->second : kNoTime;
}

}  // namespace

bool InFlight::is_leaving(TaskId task) const {
  return std::binary_search(leaving.begin(), leaving.end(), task);
}

const InFlight::Hold* InFlight::hold(JobId job) const {
  const auto at = std::lower_bound(holds.begin(), holds.end(), job,
                                   [](const Hold& hold, JobId wanted) { return hold.job < wanted; });
  return at == holds.end() || at->job != job ? nullptr : &*at;
}

const InFlight::SurplusRoom* InFlight::surplus_room_of(JobId job) const {
  const auto at = std::find_if(surplus_rooms.begin(), surplus_rooms.end(),
                               [&](const SurplusRoom& each) { return each.job == job; });
  return at == surplus_rooms.end() ? nullptr : &*at;
}

Time InFlight::below_since(JobId job) const { return time_of(below_fair_share, job); }
Time InFlight::overcommitted_since(NodeId node) const { return time_of(overcommitted, node); }

Time InFlight::last_commit(std::string_view node) const {
  const Time* at = node_commits.find(node);
  return at ? *at : kNoTime;
}

std::vector<NodeId> InFlight::nodes_blocked_for(std::uint64_t entry) const {
  std::vector<NodeId> nodes;
  const auto add = [&](const Blocked& each) {
    if (each.entry == entry && each.node && !each.whole_node) nodes.push_back(each.node);
  };
  for (const Blocked& each : blocked) add(each);
  for (const SurplusRoom& surplus_room : surplus_rooms) {
    for (const Blocked& each : surplus_room.room) add(each);
  }
  return nodes;
}

Total InFlight::group_blocked_for(std::uint64_t entry, std::uint32_t resource) const {
  Total sum = 0;
  for (const Blocked& each : blocked) {
    if (each.entry == entry && !each.node) sum += amount_of(each.amounts, resource);
  }
  return sum;
}

bool InFlight::has_surplus(std::uint64_t entry, QueueId queue, std::uint32_t resource) const {
  return std::any_of(surplus.begin(), surplus.end(), [&](const QueueSurplus& each) {
    return each.entry == entry && each.queue == queue && each.resource == resource;
  });
}

bool InFlight::has_entry(JobId requester) const {
  return std::binary_search(requesters.begin(), requesters.end(), requester);
}

}  // namespace cede
