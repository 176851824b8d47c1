// SPDX-License-Identifier: MIT
#include "sequence/borrowed_room.h"

#include <algorithm>

namespace cede {

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
  if (borrowed_room.from == kNoEntry) return "it is nobody's";
  if (borrowed_room.room.empty() && borrowed_room.queues.empty()) return "there is nothing to it";
  for (const Place& place : borrowed_room.room) {
    if (place.node.empty()) return "it is on no node";
    if (std::string why = space_fault(place); !why.empty()) return why;
    for (const auto& [resource, amount] : place.resources) {
      if (resource.empty() || amount <= 0) return "a part of it is nothing";
    }
  }
  for (const QueueRoom& room : borrowed_room.queues) {
    if (room.queue.empty() || room.resource.empty() || room.amount <= 0) return "a part of it is nothing";
  }
  for (const AwaitedVictim& victim : borrowed_room.victims) {
    if (victim.job.empty() || victim.task.empty()) return "a victim has no name";
  }
  return {};
}

}  // namespace cede
