// SPDX-License-Identifier: MIT
#include "sequence/loan.h"

#include <algorithm>

namespace cede {

bool Loan::is_pending() const {
  return std::any_of(victims.begin(), victims.end(), [](const Awaited& victim) {
    return victim.state == AwaitedState::coming || victim.state == AwaitedState::stuck;
  });
}

bool Loan::is_broken() const {
  return std::any_of(victims.begin(), victims.end(), [](const Awaited& victim) {
    return victim.state == AwaitedState::stuck || victim.state == AwaitedState::staying;
  });
}

std::string loan_fault(const Loan& loan) {
  if (loan.from == kNoEntry) return "it is nobody's";
  if (loan.room.empty() && loan.queues.empty()) return "there is nothing to it";
  for (const Place& place : loan.room) {
    if (place.node.empty()) return "it is on no node";
    if (std::string why = space_fault(place); !why.empty()) return why;
    for (const auto& [resource, amount] : place.resources) {
      if (resource.empty() || amount <= 0) return "a part of it is nothing";
    }
  }
  for (const QueueRoom& room : loan.queues) {
    if (room.queue.empty() || room.resource.empty() || room.amount <= 0) return "a part of it is nothing";
  }
  for (const Awaited& victim : loan.victims) {
    if (victim.job.empty() || victim.task.empty()) return "a victim has no name";
  }
  return {};
}

}  // namespace cede
