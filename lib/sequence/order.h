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
#include "model/words.h"
#include "sequence/victim.h"

namespace cede {

// Numbers of ledger entries; 0 is none. No number is used twice.
using EntryId = std::uint64_t;
inline constexpr EntryId kNoEntry = 0;

// What one task holds, or will hold, on one node. By name, because the ledger outlives every model.
struct Place {
  std::string task;
  std::string node;
  DeviceMask gpus = 0;  // whole devices
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;    // in thousandths of share_device
  bool devices_known = true;  // false: the number is known, the devices are not
  bool whole_node = false;    // the whole node: claims, `required_node`
  // What the placement requires of the node beyond space (see NodeSignatures); 0: nothing.
  std::uint64_t node_signature = 0;
  std::vector<std::pair<std::string, Amount>> resources;

  bool operator==(const Place&) const = default;
};

// A fault in the space of a place by itself: impossible devices, invalid amounts. Empty if there is none.
std::string space_fault(const Place& place);

// The state of a victim that another entry waits for. A stuck victim may still leave by itself; a staying
// victim will not leave.
enum class AwaitedState : std::uint8_t { coming, stuck, gone, staying };
inline constexpr std::array<std::string_view, 4> kAwaitedStates{"coming", "stuck", "gone", "staying"};

// A victim of the lender, identified by any one of its tasks.
struct AwaitedVictim {
  std::string job;
  std::string task;
  bool may_stay = false;  // it has no time limit
  AwaitedState state = AwaitedState::coming;

  bool operator==(const AwaitedVictim&) const = default;
};

struct QueueRoom {
  std::string queue;
  std::string resource;
  Amount amount = 0;

  bool operator==(const QueueRoom&) const = default;
};

// Surplus room of one entry that another entry uses. From the commit on it belongs to the borrower, not to
// the lender. The borrower starts when the victims that the room comes from are gone.
struct BorrowedRoom {
  EntryId from = kNoEntry;  // may be finished and erased once the victims are gone
  std::vector<Place> room;  // per node, for no particular task
  std::vector<QueueRoom> queues;
  std::vector<AwaitedVictim> victims;

  // Whether a victim is still there.
  bool is_pending() const;
  // Whether a victim will not leave as planned.
  bool is_broken() const;
  bool operator==(const BorrowedRoom&) const = default;
};

// A fault in borrowed room by itself; empty if there is none.
std::string borrowed_room_fault(const BorrowedRoom& borrowed_room);

// One run of a task that does not say which devices it holds on a node.
struct UnnamedRun {
  std::string node;
  std::string job;
  std::string task;
  Time started = kNoTime;

  bool operator==(const UnnamedRun&) const = default;
};

// What the space is freed for. `job`: a waiting job, which is told to start. `claim`: a queue, which is told
// that its nodes are free. `relief`: no requester; the freed space is open to all.
enum class RequesterKind : std::uint8_t { job, claim, relief };
inline constexpr std::array<std::string_view, 3> kRequesterKinds{"job", "claim", "relief"};

struct Requester {
  RequesterKind kind = RequesterKind::job;
  std::string name;  // the job, the queue, or the target of relief as `node:n1`

  bool operator==(const Requester&) const = default;
};

// One unit: a whole gang, or one task of another job. Orders saved by older versions have all chosen tasks of
// a job together. If `hold` is set, the victim is the hold of an entry that is not
// ready, and the other fields are empty.
struct VictimOrder {
  EntryId hold = kNoEntry;
  std::string job;
  std::string queue;
  std::string user;  // empty: no user
  std::vector<Place> tasks;
  VictimTerms terms;
  std::uint32_t units = 1;  // its count in storm windows and `cede_preemptions_total`
  Time submitted = kNoTime;
  std::uint32_t preempted_count = 0;
  bool waits_for_owner = false;               // after the requeue (an interactive session)
  std::int64_t lost_work = 0;                 // thousandths of a GPU-minute
  CheckpointVia via = CheckpointVia::absent;  // how the job wants to hear of a hint; passed through
  // The run to be preempted started no later than this; a later start is another run. kNoTime: unknown, so
  // any run on these nodes counts as this one.
  Time started_by = kNoTime;

  bool operator==(const VictimOrder&) const = default;
};

// A plan in the form that the sequence needs: names, and the settings at the commit. An entry follows its
// order to the end, whatever happens to cluster and policy.
struct CommitOrder {
  Requester requester;
  std::string group;
  std::string queue;  // the queue of a waiting job; empty: unknown
  std::string profile;
  std::string cause;
  Outcome outcome = Outcome::preempt;  // fits or preempt
  std::uint64_t plan = 0;
  std::uint64_t revision = 0;
  std::int64_t plan_micros = -1;  // planning time; -1: not measured
  Duration hold_timeout = 10 * kMinute;
  Duration entry_timeout = kHour;
  Duration action_timeout = 60 * kSecond;
  std::uint32_t max_action_retries = 3;
  Time latest_start = kNoTime;
  std::vector<Place> placement;
  std::vector<VictimOrder> victims;
  std::vector<BorrowedRoom> borrowed_rooms;  // moved to the entry, where they change
  std::vector<UnnamedRun> beside;            // likewise
  // What else of a waiting job the placement was chosen for. If the job is put with anything else, it needs
  // another decision.
  std::uint64_t requirement = 0;  // a checksum; 0: unknown
  bool whole_gang = false;        // it is a gang, and all its waiting tasks have a place
  std::uint32_t min_tasks = 0;    // of an elastic gang

  bool operator==(const CommitOrder&) const = default;
};

// A fault in an order by itself: victims that are unnamed or repeated, durations out of range, a job without
// a place. Empty if there is none.
std::string order_fault(const CommitOrder& order);

// The order in the form that entries keep: the tasks of each victim sorted by label, and the order's timeout
// and retries of actions copied into the terms of every victim.
CommitOrder settled(CommitOrder order);

}  // namespace cede
