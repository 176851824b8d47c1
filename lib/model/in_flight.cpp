// SPDX-License-Identifier: MIT
#include "model/in_flight.h"

#include <algorithm>
#include <iterator>

#include "model/model.h"

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

namespace {

std::uint64_t key_of(const InFlight::QueueSurplus& each) {
  return std::uint64_t{each.group.value} << 32U | each.queue.value;
}

}  // namespace

std::size_t InFlight::Room::lendable() const {
  return static_cast<std::size_t>(
      std::count_if(blocked.begin(), blocked.end(), [](const Blocked& each) { return !each.whole_node; }));
}

void InFlight::add(Hold hold) {
  by_job_.edit(hold.job.value) = static_cast<std::uint32_t>(holds_.size());
  open_holds_ += hold.ready ? 0 : 1;
  holds_.push_back(std::move(hold));
}

void InFlight::count(const Room& room, int sign) {
  const auto step = [&](std::size_t& sum, std::size_t number) {
    sum = sign > 0 ? sum + number : sum - number;
  };
  step(blocked_, room.blocked.size());
  step(surplus_, room.surplus.size());
  for (const QueueSurplus& each : room.surplus) {
    std::vector<QueueSurplus>& of_queue = sums_.edit(key_of(each));
    auto sum = std::find_if(of_queue.begin(), of_queue.end(),
                            [&](const QueueSurplus& row) { return row.resource == each.resource; });
    if (sum == of_queue.end())
      sum = of_queue.insert(sum, QueueSurplus{0, each.group, each.queue, each.resource, 0});
    sum->amount += sign * each.amount;
  }
}

void InFlight::put(std::shared_ptr<const Room> room) {
  const std::size_t at = row_of(room->entry);
  const bool known = at < rooms_.size() && rooms_[at].entry == room->entry;
  if (known) count(*rooms_[at].room, -1);
  count(*room, 1);
  RoomRow row{room->entry, static_cast<std::uint32_t>(room->lendable()),
              static_cast<std::uint32_t>(room->surplus.size()), room};
  if (known) {
    rooms_.edit(at) = std::move(row);
  } else {
    rooms_.push_back(std::move(row));
  }
}

// The first row that is not of an older entry.
std::size_t InFlight::row_of(std::uint64_t entry) const {
  std::size_t first = 0;
  for (std::size_t count = rooms_.size(); count > 0;) {
    const std::size_t half = count / 2;
    if (rooms_[first + half].entry < entry) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

InFlight InFlight::lending(std::span<const std::uint64_t> lenders, bool queue_is_limited) const {
  InFlight out = *this;
  out.lenders_.reserve(lenders.size());
  out.sorted_lenders_.reserve(lenders.size());
  std::size_t at = 0;  // lenders mostly ascend
  for (const std::uint64_t entry : lenders) {
    if (at >= rooms_.size() || rooms_[at].entry != entry) at = row_of(entry);
    if (at >= rooms_.size() || rooms_[at].entry != entry) continue;
    const RoomRow& row = rooms_[at++];
    if (row.lendable + (queue_is_limited ? row.surplus : 0) == 0 || !row.room->job) continue;
    const bool ascends = out.sorted_lenders_.empty() || out.sorted_lenders_.back() < entry;
    if (!ascends && out.lends(entry)) continue;
    out.lenders_.push_back(entry);
    const auto place = ascends
                           ? out.sorted_lenders_.end()
                           : std::lower_bound(out.sorted_lenders_.begin(), out.sorted_lenders_.end(), entry);
    out.sorted_lenders_.insert(place, entry);
    out.lent_blocked_ += row.lendable;
    out.lent_surplus_ += row.surplus;
  }
  return out;
}

InFlight InFlight::without_history() const {
  InFlight out = *this;
  out.origin.reset();
  out.requesters = {};
  out.relief = {};
  out.below_fair_share = {};
  out.overcommitted = {};
  out.node_commits = {};
  return out;
}

InFlight InFlight::holds_alone() const {
  InFlight out;
  out.holds_ = holds_;
  out.by_job_ = by_job_;
  out.open_holds_ = open_holds_;
  return out;
}

std::vector<NodeId> InFlight::nodes_of_other_holds(const InFlight& other) const {
  std::vector<NodeId> nodes;
  const auto add_hold = [&](const InFlight& of, std::size_t at) {
    if (at >= of.holds_.size()) return;
    nodes.insert(nodes.end(), of.holds_[at].nodes.begin(), of.holds_[at].nodes.end());
  };
  const auto differ_in = [&](const InFlight& a, const InFlight& b) {
    a.holds_.for_each_unshared(b.holds_, [&](std::size_t at) {
      if (at < b.holds_.size() && a.holds_[at] == b.holds_[at]) return;
      add_hold(a, at);
      add_hold(b, at);
    });
  };
  differ_in(*this, other);
  if (other.holds_.size() > holds_.size()) differ_in(other, *this);
  return nodes;
}

std::vector<NodeId> InFlight::nodes_that_differ(const InFlight& other, const Model& model) const {
  std::vector<NodeId> nodes = nodes_of_other_holds(other);
  const auto add_room = [&](const Room* room) {
    if (!room) return;
    for (const Blocked& each : room->blocked) {
      if (each.node) nodes.push_back(each.node);
    }
  };
  const auto room_at = [](const InFlight& of, std::size_t at) {
    return at < of.rooms_.size() ? of.rooms_[at].room.get() : nullptr;
  };
  const auto differ_in = [&](const InFlight& a, const InFlight& b) {
    a.rooms_.for_each_unshared(b.rooms_, [&](std::size_t at) {
      if (room_at(a, at) == room_at(b, at)) return;
      add_room(room_at(a, at));
      add_room(room_at(b, at));
    });
  };
  differ_in(*this, other);
  if (other.rooms_.size() > rooms_.size()) differ_in(other, *this);
  std::vector<std::uint64_t> lenders;
  std::set_symmetric_difference(sorted_lenders_.begin(), sorted_lenders_.end(), other.sorted_lenders_.begin(),
                                other.sorted_lenders_.end(), std::back_inserter(lenders));
  for (const std::uint64_t entry : lenders) {
    add_room(room_of(entry));
    add_room(other.room_of(entry));
  }
  std::vector<TaskId> tasks;
  std::set_symmetric_difference(leaving.begin(), leaving.end(), other.leaving.begin(), other.leaving.end(),
                                std::back_inserter(tasks));
  // A task that leaves concerns its unit, and so every node of its job.
  for (const TaskId task : tasks) {
    const JobId id = task.value < model.tasks.id_bound() ? model.tasks.core(task).job : JobId{};
    if (!id || id.value >= model.jobs.id_bound() || !model.jobs.is_live(id)) continue;
    const JobCore& job = model.jobs[id];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      if (const NodeId node = model.tasks.core(TaskId{job.first_task.value + k}).node) nodes.push_back(node);
    }
  }
  return nodes;
}

bool InFlight::lends(std::uint64_t entry) const {
  return std::binary_search(sorted_lenders_.begin(), sorted_lenders_.end(), entry);
}

const InFlight::Hold* InFlight::hold(JobId job) const {
  const std::uint32_t* at = by_job_.find(job.value);
  return at ? &holds_[*at] : nullptr;
}

const InFlight::Hold* InFlight::hold_of(std::uint64_t entry) const {
  std::size_t first = 0;
  for (std::size_t count = holds_.size(); count > 0;) {
    const std::size_t half = count / 2;
    if (holds_[first + half].entry < entry) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first < holds_.size() && holds_[first].entry == entry ? &holds_[first] : nullptr;
}

const InFlight::Room* InFlight::room_of(std::uint64_t entry) const {
  const std::size_t at = row_of(entry);
  return at < rooms_.size() && rooms_[at].entry == entry ? rooms_[at].room.get() : nullptr;
}

const InFlight::Room* InFlight::lent_by(JobId job) const {
  const auto at = std::find_if(lenders_.begin(), lenders_.end(),
                               [&](std::uint64_t entry) { return room_of(entry)->job == job; });
  return at == lenders_.end() ? nullptr : room_of(*at);
}

Time InFlight::below_since(JobId job) const { return time_of(below_fair_share, job); }
Time InFlight::overcommitted_since(NodeId node) const { return time_of(overcommitted, node); }

Time InFlight::last_commit(std::string_view node) const {
  const Time* at = node_commits.find(node);
  return at ? *at : kNoTime;
}

std::vector<NodeId> InFlight::nodes_blocked_for(std::uint64_t entry) const {
  std::vector<NodeId> nodes;
  if (const Room* room = room_of(entry)) {
    for (const Blocked& each : room->blocked) {
      if (each.node && !each.whole_node) nodes.push_back(each.node);
    }
  }
  return nodes;
}

Total InFlight::group_blocked_for(std::uint64_t entry, std::uint32_t resource) const {
  const Room* room = room_of(entry);
  Total sum = 0;
  if (!room || lends(entry)) return sum;
  for (const Blocked& each : room->blocked) {
    if (!each.node) sum += amount_of(each.amounts, resource);
  }
  return sum;
}

bool InFlight::has_surplus(std::uint64_t entry, QueueId queue, std::uint32_t resource) const {
  const Room* room = room_of(entry);
  return room && !lends(entry) &&
         std::any_of(room->surplus.begin(), room->surplus.end(), [&](const QueueSurplus& each) {
           return each.queue == queue && each.resource == resource;
         });
}

bool InFlight::has_entry(JobId requester) const {
  return std::binary_search(requesters.begin(), requesters.end(), requester);
}

}  // namespace cede
