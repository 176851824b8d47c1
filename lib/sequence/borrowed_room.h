// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sequence/place.h"

namespace cede {

// What became of a victim that another entry waits for. One that cannot be removed may still leave by itself;
// one that stays is not to be had any more.
enum class AwaitedState : std::uint8_t { coming, stuck, gone, staying };
inline constexpr std::array<std::string_view, 4> kAwaitedStates{"coming", "stuck", "gone", "staying"};

// A victim of the lender, told by any one of its tasks.
struct AwaitedVictim {
  std::string job;
  std::string task;
  bool may_stay = false;  // as long as it likes
  AwaitedState state = AwaitedState::coming;

  bool operator==(const AwaitedVictim&) const = default;
};

struct QueueRoom {
  std::string queue;
  std::string resource;
  Amount amount = 0;

  bool operator==(const QueueRoom&) const = default;
};

// What an entry uses of the room that victims of another one leave over. From the commit on it is the
// borrower's and not the lender's; the borrower starts when the victims it comes from are gone.
struct BorrowedRoom {
  EntryId from = kNoEntry;  // may be finished and forgotten once the victims are gone
  std::vector<Place> room;  // by node, for no task
  std::vector<QueueRoom> queues;
  std::vector<AwaitedVictim> victims;

  // A victim is still there.
  bool is_pending() const;
  // A victim will not leave as planned.
  bool is_broken() const;
  bool operator==(const BorrowedRoom&) const = default;
};

// What is wrong with a loan in itself, empty when nothing is.
std::string borrowed_room_fault(const BorrowedRoom& borrowed_room);

}  // namespace cede
