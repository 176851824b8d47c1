// SPDX-License-Identifier: MIT
#include "sequence/order.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace cede {

std::string space_fault(const Place& place) {
  if (place.share > static_cast<std::uint32_t>(kOne) ||
      (place.share > 0 && place.share_device >= kMaxDevices))
    return "share: " + std::to_string(place.share) + " thousandths of device " +
           std::to_string(place.share_device) + " is outside 1..1000 of 0.." +
           std::to_string(kMaxDevices - 1);
  if (place.share > 0 && (place.gpus >> place.share_device & 1) != 0)
    return "device " + std::to_string(place.share_device) + " is held whole and in part";
  if (!place.devices_known && (place.gpus != 0 || place.share > 0))
    return "devices are named that are said to be unknown";
  for (const auto& [resource, amount] : place.resources) {
    if (resource.empty() || amount < 0 || amount > kMaxAmount)
      return "resource " + quote(resource) + ": " + std::to_string(amount) + " is outside 0.." +
             std::to_string(kMaxAmount) + " thousandths";
  }
  return {};
}

bool BorrowedRoom::is_pending() const {
  return std::any_of(victims.begin(), victims.end(), [](const AwaitedVictim& victim) {
    return victim.state == AwaitedState::coming || victim.state == AwaitedState::stuck;
  });
}

bool BorrowedRoom::is_broken() const {
  return std::any_of(victims.begin(), victims.end(), [](const AwaitedVictim& victim) {
    return victim.state == AwaitedState::stuck || victim.state == AwaitedState::staying;
  });
}

std::string borrowed_room_fault(const BorrowedRoom& borrowed_room) {
  if (borrowed_room.from == kNoEntry) return "it names no entry to borrow from";
  if (borrowed_room.room.empty() && borrowed_room.queues.empty()) return "it has no room";
  for (const Place& place : borrowed_room.room) {
    if (place.node.empty()) return "it is on no node";
    if (std::string why = space_fault(place); !why.empty()) return why;
    for (const auto& [resource, amount] : place.resources) {
      if (resource.empty() || amount <= 0) return "one of its amounts has no name or is not above 0";
    }
  }
  for (const QueueRoom& room : borrowed_room.queues) {
    if (room.queue.empty() || room.resource.empty() || room.amount <= 0)
      return "one of its amounts has no name or is not above 0";
  }
  for (const AwaitedVictim& victim : borrowed_room.victims) {
    if (victim.job.empty() || victim.task.empty()) return "a victim has no name";
  }
  return {};
}

namespace {

std::string duration_fault(std::string_view name, Duration value, bool may_be_none = false) {
  if ((value >= 0 && value <= kMaxDuration) || (may_be_none && value == kNoDuration)) return {};
  return std::string(name) + ": " + std::to_string(value) + " is outside 0.." + std::to_string(kMaxDuration) +
         " milliseconds";
}

std::string terms_fault(const VictimTerms& terms) {
  std::string why = duration_fault("checkpoint_timeout", terms.checkpoint_timeout);
  if (why.empty()) why = duration_fault("max_deferral", terms.max_deferral);
  if (why.empty()) why = duration_fault("grace", terms.grace);
  if (why.empty()) why = duration_fault("soft_evict_timeout", terms.soft_evict_timeout, true);
  if (why.empty()) why = duration_fault("signal_timeout", terms.signal_timeout);
  if (why.empty() && (terms.timeout_extension < 0 || terms.timeout_extension > 10'000)) {
    why =
        "timeout_extension: " + std::to_string(terms.timeout_extension) + " is outside 0..10000 thousandths";
  }
  if (why.empty() && (terms.then == VictimAction::checkpoint || terms.unsaved == VictimAction::checkpoint))
    why = "a checkpoint does not follow a checkpoint";
  return why;
}

std::string place_fault(const std::vector<Place>& places) {
  for (const Place& place : places) {
    if (place.task.empty()) return "a task on node " + quote(place.node) + " has no label";
    if (place.node.empty()) return "task " + quote(place.task) + " has no node";
    if (std::string why = space_fault(place); !why.empty()) return "task " + quote(place.task) + ": " + why;
  }
  return {};
}

std::string victim_fault(const VictimOrder& victim) {
  if (victim.hold != kNoEntry) {
    return victim.job.empty() && victim.tasks.empty() ? std::string() : "a hold is taken together with a job";
  }
  if (victim.job.empty()) return "has no job";
  if (victim.tasks.empty()) return "job " + quote(victim.job) + " has no tasks";
  if (victim.lost_work < 0) return "lost_work: " + std::to_string(victim.lost_work) + " is below 0";
  std::string why = place_fault(victim.tasks);
  return why.empty() ? terms_fault(victim.terms) : why;
}

bool any_repeated(const CommitOrder& order) {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  std::vector<EntryId> holds;
  for (const VictimOrder& victim : order.victims) {
    if (victim.hold != kNoEntry) holds.push_back(victim.hold);
    for (const Place& task : victim.tasks) all.emplace_back(victim.job, task.task);
  }
  std::sort(all.begin(), all.end());
  std::sort(holds.begin(), holds.end());
  return std::adjacent_find(all.begin(), all.end()) != all.end() ||
         std::adjacent_find(holds.begin(), holds.end()) != holds.end();
}

std::string repeated(const CommitOrder& order) {
  if (!any_repeated(order)) return {};
  std::set<std::pair<std::string_view, std::string_view>> seen;
  std::set<EntryId> holds;
  for (const VictimOrder& victim : order.victims) {
    if (victim.hold != kNoEntry && !holds.insert(victim.hold).second) {
      return "victims: the hold of entry " + std::to_string(victim.hold) + " is named twice";
    }
    for (const Place& task : victim.tasks) {
      if (!seen.emplace(victim.job, task.task).second) {
        return "victims: task " + quote(task.task) + " of job " + quote(victim.job) + " is named twice";
      }
    }
  }
  return {};
}

}  // namespace

std::string order_fault(const CommitOrder& order) {
  if (order.requester.kind != RequesterKind::relief && order.requester.name.empty()) {
    return "requester: has no name";
  }
  if (order.requester.kind != RequesterKind::relief && order.placement.empty()) {
    return "placement: " + quote(order.requester.name) + " has no place";
  }
  if (order.requester.kind == RequesterKind::relief && order.victims.empty()) {
    return "victims: relief without any frees nothing";
  }
  if (order.outcome != Outcome::fits && order.outcome != Outcome::preempt) {
    return "outcome: " + quote(to_word(order.outcome, kOutcomes)) +
           " cannot be committed; fits or preempt can";
  }
  std::string why = place_fault(order.placement);
  if (!why.empty()) return "placement: " + why;
  why = duration_fault("hold_timeout", order.hold_timeout);
  if (why.empty()) why = duration_fault("entry_timeout", order.entry_timeout);
  if (why.empty()) why = duration_fault("action_timeout", order.action_timeout);
  if (why.empty() && order.action_timeout == 0) why = "action_timeout: 0 leaves no time for an answer";
  if (why.empty() && order.latest_start != kNoTime &&
      (order.latest_start < -kMaxTime || order.latest_start > kMaxTime + kMaxDuration)) {
    why = "latest_start: " + std::to_string(order.latest_start) + " is no time";
  }
  for (std::size_t i = 0; i < order.victims.size() && why.empty(); ++i) {
    why = victim_fault(order.victims[i]);
    if (!why.empty()) why = "victims[" + std::to_string(i) + "]: " + why;
  }
  for (std::size_t i = 0; i < order.borrowed_rooms.size() && why.empty(); ++i) {
    why = borrowed_room_fault(order.borrowed_rooms[i]);
    if (!why.empty()) why = "borrowed[" + std::to_string(i) + "]: " + why;
  }
  return why.empty() ? repeated(order) : why;
}

CommitOrder settled(CommitOrder order) {
  for (VictimOrder& victim : order.victims) {
    victim.terms.action_timeout = order.action_timeout;
    victim.terms.max_action_retries = order.max_action_retries;
    std::sort(victim.tasks.begin(), victim.tasks.end(),
              [](const Place& a, const Place& b) { return a.task < b.task; });
  }
  return order;
}

}  // namespace cede
