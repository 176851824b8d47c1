// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/plan.h"
#include "sequence/borrowed_room.h"
#include "sequence/place.h"
#include "sequence/victim.h"

namespace cede {

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
