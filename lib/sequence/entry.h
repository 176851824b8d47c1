// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sequence/action.h"
#include "sequence/order.h"
#include "sequence/victim.h"

namespace cede {

// How one entry goes from commit to start. `lacking` is written `short`: its space cannot be had as planned,
// because a victim cannot be removed or, where it is another entry's, runs on, the cluster no longer has the
// space of its placement, a node of it is down, or its hold was taken by a stronger plan; someone has to plan
// anew. Also an entry that was ready becomes short.
enum class EntryState : std::uint8_t {
  preparing,
  waiting,
  short_of_space,
  ready,
  started,
  expired,
  cancelled,
  failed,
};
inline constexpr std::array<std::string_view, 8> kEntryStates{"preparing", "waiting", "short",     "ready",
                                                              "started",   "expired", "cancelled", "failed"};

constexpr bool is_live(EntryState state) { return state <= EntryState::ready; }

struct EntryTerms {
  RequesterKind requester = RequesterKind::job;
  Duration hold_timeout = 0;
  Duration entry_timeout = 0;
  bool has_hold = true;  // false: relief, or a stronger plan took it
};

struct EntryClock {
  EntryState state = EntryState::preparing;
  Time deadline = kNoTime;  // of waiting as a whole; kNoTime: none
  Time ready_at = kNoTime;

  bool operator==(const EntryClock&) const = default;
};

// What the state of its victims and places comes to.
struct EntryNeeds {
  bool pending = false;  // a victim it waits for is not released
  bool short_of_space = false;
  bool may_last = false;  // a victim it waits for may stay as long as it likes
};

enum class EntryStep : std::uint8_t { none, start, announce, replan, release };

// One turn of the entry's clock. Space that is there wins over a deadline that passed unseen, the deadline
// over planning anew. A ready entry whose space is lost is short and has at least `hold_timeout` to be
// planned anew. Relief has nobody to start: it is `started`, that is done, once its victims are gone.
EntryStep advance(const EntryTerms& terms, EntryClock& entry, EntryNeeds needs, Time now);
EntryStep end(const EntryTerms& terms, EntryClock& entry, EntryState how);
Time next_due(const EntryTerms& terms, const EntryClock& entry);

// An action that changes nothing in the sequence when done. Where it fails it is sent again as often as a
// victim's, `start` never.
struct PendingAction {
  ActionKind kind = ActionKind::start;
  ActionId id = kNoAction;
  Time sent = kNoTime;  // kNoTime: not listed yet
  std::uint32_t failures = 0;

  bool open() const { return id != kNoAction; }
  bool operator==(const PendingAction&) const = default;
};

// A victim inside its entry.
struct Victim {
  std::uint32_t order = 0;       // among the entry's orders
  std::uint32_t index = 0;       // among that order's victims
  std::uint32_t first_task = 0;  // its tasks' marks
  bool needed = true;            // false: the entry was planned anew without it
  bool listed = true;            // false: its action is to be listed again after a restore
  ActionId action = kNoAction;   // not answered yet
  VictimState state;
  PendingAction pending_action;  // requeue or cancel-hint

  bool operator==(const Victim&) const = default;
};

// What the ledger keeps of a task of a victim.
enum class TaskProgress : std::uint8_t { none = 0, done = 1, gone = 2, done_and_gone = 3 };
constexpr bool is_done(TaskProgress mark) { return (static_cast<std::uint8_t>(mark) & 1U) != 0; }
constexpr bool is_gone(TaskProgress mark) { return (static_cast<std::uint8_t>(mark) & 2U) != 0; }
constexpr TaskProgress with_done(TaskProgress mark) {
  return static_cast<TaskProgress>(static_cast<std::uint8_t>(mark) | 1U);
}
constexpr TaskProgress with_gone(TaskProgress mark) {
  return static_cast<TaskProgress>(static_cast<std::uint8_t>(mark) | 2U);
}

// When it was heard that a task is gone: the edit of the cluster that was the last then. A job put by a later
// one runs again, whatever its start time says, and one lost with its node does so when the node is put and
// is not down. 0: any edit is later.
struct Departure {
  std::uint32_t edit = 0;
  bool with_node = false;

  bool operator==(const Departure&) const = default;
};

// One decision on its way. Texts live in the orders, which copies share; the rest is small.
struct Entry {
  EntryId id = kNoEntry;
  EntryClock clock;
  Time committed = kNoTime;
  bool hold_taken = false;
  bool space_lost = false;  // the cluster no longer has what the placement needs
  // Finished, and remembered only because the cluster still shows tasks of its victims that are gone.
  bool remembered = false;
  std::uint32_t placed_by = 0;  // the order whose placement it holds
  // The commit's, those it was extended with, and those that victims taken over with a hold came from.
  std::vector<std::shared_ptr<const CommitOrder>> orders;
  std::vector<std::string> lost_nodes;  // of the placement
  std::vector<Victim> victims;
  std::vector<TaskProgress> tasks;
  std::vector<Departure> departures;         // of each of them that is gone
  std::vector<BorrowedRoom> borrowed_rooms;  // what it uses of other entries' room
  std::vector<Place> lent;                   // of its own room, what others have started on
  PendingAction notice;                      // start, claim-ready or replan
  PendingAction release;                     // release-hold

  const CommitOrder& order() const { return *orders.front(); }
  const Requester& requester() const { return order().requester; }
  const std::vector<Place>& placement() const { return orders[placed_by]->placement; }
  const VictimOrder& order_of(const Victim& victim) const {
    return orders[victim.order]->victims[victim.index];
  }
  EntryTerms terms() const {
    return {requester().kind, order().hold_timeout, order().entry_timeout, has_hold()};
  }
  // While it is live it keeps its placement from everyone else.
  bool has_hold() const { return !hold_taken && requester().kind != RequesterKind::relief; }
  bool finished() const;

  // Adds the victims of an order already among the entry's, not begun.
  void add_victims(std::uint32_t order);
  // Takes over a victim of another entry, in the phase it is in.
  void adopt(const Entry& from, const Victim& victim);
  // Room that was lent is its own again where who uses it is among its victims from this one on.
  void take_back_lent(std::size_t first_victim);
  // Word of a victim that it may wait for as a borrower; false where it does not.
  bool heard_of(const VictimOrder& victim, AwaitedState state);
  // `entry_timeout` from the commit, at least every latest start; none while a victim it waits for may stay
  // as long as it likes.
  void set_deadline();
  EntryNeeds needs() const;
};

Time next_due(const Entry& entry);

}  // namespace cede
