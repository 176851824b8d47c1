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

// The states of an entry from commit to end. `short_of_space` is written `short`: the entry cannot get its
// space as planned, so a new plan is needed. Possible causes are: one of its victims cannot be removed; a
// victim it waits for as a borrower cannot be removed or keeps running; the cluster no longer has the space
// of its placement; a node of its placement is down; a stronger plan took its hold. A ready entry can become
// short too.
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
  bool has_hold = true;  // false: relief, or a stronger plan took the hold
};

struct EntryClock {
  EntryState state = EntryState::preparing;
  Time deadline = kNoTime;  // for the whole wait; kNoTime: none
  Time ready_at = kNoTime;

  bool operator==(const EntryClock&) const = default;
};

// What the entry still lacks, derived from its victims and places.
struct EntryNeeds {
  bool pending = false;  // a victim it waits for is not released
  bool short_of_space = false;
  bool may_last = false;  // a victim it waits for has no time limit
};

enum class EntryStep : std::uint8_t { none, start, announce, replan, release };

// Advances the entry's state to `now`. If its space is there, the entry becomes ready even if a deadline
// passed unnoticed. A passed deadline wins over a new plan. A ready entry that loses its space becomes short
// and has at least `hold_timeout` for a new plan. Relief starts no job: it is `started`, which means done,
// once its victims are gone.
EntryStep advance(const EntryTerms& terms, EntryClock& entry, EntryNeeds needs, Time now);
EntryStep end(const EntryTerms& terms, EntryClock& entry, EntryState how);
Time next_due(const EntryTerms& terms, const EntryClock& entry);

// An action whose success changes nothing in the sequence. If it fails, it is sent again, as often as the
// action of a victim. `start` is never sent again.
struct PendingAction {
  ActionKind kind = ActionKind::start;
  ActionId id = kNoAction;
  Time sent = kNoTime;      // kNoTime: the next step lists it
  bool was_listed = false;  // perhaps before a restore
  std::uint32_t failures = 0;

  bool open() const { return id != kNoAction; }
  bool operator==(const PendingAction&) const = default;
};

// One victim of an entry.
struct Victim {
  std::uint32_t order = 0;       // index into the entry's orders
  std::uint32_t index = 0;       // index into that order's victims
  std::uint32_t first_task = 0;  // index into Entry::tasks
  bool needed = true;            // false: a new plan of the entry does without it
  bool listed = true;            // false: its action must be listed again after a restore
  ActionId action = kNoAction;   // not answered yet
  VictimState state;
  PendingAction pending_action;  // requeue, gone or cancel-hint

  bool operator==(const Victim&) const = default;
};

// Progress of a victim's task: checkpoint done, task gone.
enum class TaskProgress : std::uint8_t { none = 0, done = 1, gone = 2, done_and_gone = 3 };
constexpr bool is_done(TaskProgress mark) { return (static_cast<std::uint8_t>(mark) & 1U) != 0; }
constexpr bool is_gone(TaskProgress mark) { return (static_cast<std::uint8_t>(mark) & 2U) != 0; }
constexpr TaskProgress with_done(TaskProgress mark) {
  return static_cast<TaskProgress>(static_cast<std::uint8_t>(mark) | 1U);
}
constexpr TaskProgress with_gone(TaskProgress mark) {
  return static_cast<TaskProgress>(static_cast<std::uint8_t>(mark) | 2U);
}

// When the engine learnt that a task is gone: the last edit of the cluster at that moment. If a later edit
// puts the job, the task runs again, whatever its start time says. If the task was lost with its node, it
// also runs again when a later edit puts the node and the node is not down. 0: every edit is later.
struct ExitStamp {
  std::uint32_t edit = 0;
  bool with_node = false;

  bool operator==(const ExitStamp&) const = default;
};

// One decision in flight. The texts are in the orders, which copies share; the rest is small.
struct Entry {
  EntryId id = kNoEntry;
  EntryClock clock;
  Time committed = kNoTime;
  bool hold_taken = false;
  bool space_lost = false;  // the cluster no longer has the space of the placement
  // Finished, and kept only because the model still shows tasks of its victims that are gone.
  bool remembered = false;
  std::uint32_t placed_by = 0;  // index of the order whose placement applies
  // The order of the commit, the orders of later plans, and the orders of victims that came with a hold.
  std::vector<std::shared_ptr<const CommitOrder>> orders;
  std::vector<std::string> lost_nodes;  // nodes of the placement that are down
  std::vector<Victim> victims;
  std::vector<TaskProgress> tasks;
  std::vector<ExitStamp> exit_stamps;        // for each task that is gone
  std::vector<BorrowedRoom> borrowed_rooms;  // the surplus room of other entries that it uses
  std::vector<Place> lent;                   // the part of its own room that other requesters have started on
  // The runs that do not say which devices they hold and were on the nodes of its placement when that named
  // its devices. A run that leaves is struck out.
  std::vector<UnnamedRun> beside;
  PendingAction notice;   // start, claim-ready or replan
  PendingAction release;  // release-hold

  const CommitOrder& order() const { return *orders.front(); }
  const Requester& requester() const { return order().requester; }
  const std::vector<Place>& placement() const { return orders[placed_by]->placement; }
  const VictimOrder& order_of(const Victim& victim) const {
    return orders[victim.order]->victims[victim.index];
  }
  EntryTerms terms() const {
    return {requester().kind, order().hold_timeout, order().entry_timeout, has_hold()};
  }
  // While it is live, its placement is closed to all other requests.
  bool has_hold() const { return !hold_taken && requester().kind != RequesterKind::relief; }
  bool finished() const;

  // Adds the victims of one of the entry's orders, in the phase `planned`.
  void add_victims(std::uint32_t order);
  // Takes over a victim of another entry in its current phase.
  void adopt(const Entry& from, const Victim& victim);
  // Lent room returns to this entry if its user is among the victims from this index on.
  void take_back_lent(std::size_t first_victim);
  // Reports the state of a victim that the entry may wait for as a borrower. Returns false if it does not
  // wait for it.
  bool heard_of(const VictimOrder& victim, AwaitedState state);
  // The deadline is `entry_timeout` after the commit, and no earlier than the latest start of any plan. There
  // is no deadline while the entry waits for a victim that has no time limit.
  void set_deadline();
  EntryNeeds needs() const;
};

Time next_due(const Entry& entry);

}  // namespace cede
