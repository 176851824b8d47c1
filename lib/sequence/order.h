// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "base/time.h"
#include "model/node_class.h"
#include "model/plan.h"
#include "sequence/victim.h"

namespace cede {

// Numbers of ledger entries; 0 is none, and none is ever used twice.
using EntryId = std::uint64_t;
inline constexpr EntryId kNoEntry = 0;

// What one task holds, or is to hold, on one node. By name, for the ledger outlives every model.
struct Place {
  std::string task;
  std::string node;
  DeviceMask gpus = 0;  // whole devices
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;    // in thousandths of share_device
  bool devices_known = true;  // false: how many is certain, which ones is not
  bool whole_node = false;    // the node as such: claims, `required_node`
  // What the requester counts on about the node (see node_signature); 0: nothing beyond its space.
  std::uint64_t node_signature = 0;
  // How many devices were held there by tasks that do not say which. More of them may hold any of these.
  std::uint32_t unknown_there = 0;
  std::vector<std::pair<std::string, Amount>> resources;

  bool operator==(const Place&) const = default;
};

// What is wrong with the space of a place in itself, empty when nothing is: devices there cannot be, amounts
// that are none.
std::string space_fault(const Place& place);

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

// For whom the space is made. `job`: a waiting job, told to start. `claim`: a queue, told that its nodes are
// free. `relief`: nobody; what is freed is free.
enum class RequesterKind : std::uint8_t { job, claim, relief };
inline constexpr std::array<std::string_view, 3> kRequesterKinds{"job", "claim", "relief"};

struct Requester {
  RequesterKind kind = RequesterKind::job;
  std::string name;  // the job; the queue; what relief is for, as `node:n1`

  bool operator==(const Requester&) const = default;
};

// One victim job with all of its chosen tasks; or, where `hold` is set and the rest is empty, the hold of an
// entry that is not ready yet.
struct VictimOrder {
  EntryId hold = kNoEntry;
  std::string job;
  std::string queue;
  std::string user;  // empty: nobody's
  std::vector<Place> tasks;
  VictimTerms terms;
  std::uint32_t units = 1;  // what it counts for in storm windows and `cede_preemptions_total`
  Time submitted = kNoTime;
  std::uint32_t preempted_count = 0;
  bool waits_for_owner = false;  // once requeued (an interactive session)
  bool keep_local = false;       // `suspend_keep` local: its nodes keep what it resumes from
  std::int64_t lost_work = 0;    // thousandths of a GPU-minute
  // The run that gives way started no later than this; a later start is another run. kNoTime: not known, any
  // run on its nodes is taken for it.
  Time started_by = kNoTime;

  bool operator==(const VictimOrder&) const = default;
};

// A plan as the sequence needs it: names and the settings in force when it was committed. An entry finishes
// under its order, whatever becomes of cluster and policy.
struct CommitOrder {
  Requester requester;
  std::string group;
  std::string queue;  // of a job that waits; empty: not known
  std::string profile;
  std::string cause;
  Outcome outcome = Outcome::preempt;  // fits or preempt
  std::uint64_t plan = 0;
  std::uint64_t revision = 0;
  std::int64_t plan_micros = -1;  // how long planning took; -1: not measured
  Duration hold_timeout = 10 * kMinute;
  Duration entry_timeout = kHour;
  Duration action_timeout = 60 * kSecond;
  std::uint32_t max_action_retries = 3;
  Time latest_start = kNoTime;
  std::vector<Place> placement;
  std::vector<VictimOrder> victims;
  std::vector<BorrowedRoom> borrowed_rooms;  // kept by the entry, where they change

  bool operator==(const CommitOrder&) const = default;
};

// What is wrong with an order in itself, empty when nothing is: nameless or repeated victims, durations out
// of range, a job without a place.
std::string order_fault(const CommitOrder& order);

// The order as entries keep it: the tasks of each victim sorted by label, the order's patience with actions
// in every victim's terms.
CommitOrder settled(CommitOrder order);

}  // namespace cede
