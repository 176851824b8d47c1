// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/step_view.h"
#include "sequence/order.h"

namespace cede {

// Numbers of actions; 0 is none. No number is used twice.
using ActionId = std::uint64_t;
inline constexpr ActionId kNoAction = 0;

enum class ActionKind : std::uint8_t {
  checkpoint_hint,
  signal,
  suspend,
  terminate,
  mark,
  replan,
  claim_ready,
  cancel_hint,
  requeue,
  start,
  release_hold,
  gone,
};
inline constexpr std::array<std::string_view, 12> kActionKinds{
    "checkpoint-hint", "signal",      "suspend", "terminate", "mark",         "replan",
    "claim-ready",     "cancel-hint", "requeue", "start",     "release-hold", "gone"};

enum class Signal : std::uint8_t { none, interrupt, term, kill };
inline constexpr std::array<std::string_view, 4> kSignals{"", "INT", "TERM", "KILL"};

// A request to the resource manager. The sequence tolerates an action that is done twice. The adapter answers
// each with action-done or action-failed. `terminate` asks for removal by any means. `release-hold` comes
// once at the end of every hold, also after the start: the manager may then drop whatever kept other jobs
// out. `requeue` or `gone` comes once for every victim that has left.
struct Action {
  ActionId id = kNoAction;
  ActionKind kind = ActionKind::signal;
  EntryId entry = kNoEntry;
  std::string job;                 // the victim; for start, the requester
  std::vector<std::string> tasks;  // the victim's tasks that are not gone yet
  std::vector<std::string> nodes;  // where each of them runs
  Signal signal = Signal::none;
  Time deadline = kNoTime;  // when the next harsher step comes or the hold expires; kNoTime: never
  RequesterKind requester = RequesterKind::job;
  std::string preemptor;  // the beneficiary: a job, a queue, or the target of relief
  std::string cause;
  std::uint64_t plan = 0;
  std::uint64_t revision = 0;

  CheckpointVia via = CheckpointVia::absent;  // for checkpoint-hint: how the job wants to hear of it

  ExitResult how = ExitResult::none;  // for requeue and gone

  // Fields of requeue.
  bool resume = false;
  bool waits_for_owner = false;
  bool keep_local = false;  // also set for suspend
  Time submitted = kNoTime;
  Time waiting_since = kNoTime;
  std::uint32_t preempted_count = 0;

  std::vector<Place> placement;  // for start, claim-ready and release-hold

  bool operator==(const Action&) const = default;
};

enum class EventKind : std::uint8_t {
  checkpoint_progress,
  checkpoint_done,
  checkpoint_failed,
  defer,
  released,
  exited,
  claim_done,
  started,
  cancelled,
  node_down,
  node_up,
  action_done,
  action_failed,
  gone,  // not from the adapter: the job is missing in a new model
};
// The last one is not told by a manager.
inline constexpr std::array<std::string_view, kToldEvents.size() + 1> kEventKinds = [] {
  std::array<std::string_view, kToldEvents.size() + 1> words{};
  std::copy(kToldEvents.begin(), kToldEvents.end(), words.begin());
  words.back() = "job-is-gone";
  return words;
}();

// Something that happened. An event about a job may name one task. Without a task it concerns all tasks of
// the job that the ledger knows.
struct Event {
  EventKind kind = EventKind::checkpoint_progress;
  std::string job = {};
  std::string task = {};
  std::string node = {};
  EntryId entry = kNoEntry;
  ActionId action = kNoAction;
  Duration length = 0;    // for defer
  std::int64_t code = 0;  // for exited
  std::string text = {};  // for action-failed

  bool operator==(const Event&) const = default;
};

// What is wrong with an event by itself: a field that its kind needs is missing, or it has one that its kind
// does not have. Empty if there is nothing.
std::string event_fault(const Event& event);

// `ignored`: the ledger does not know the subject of the event, or the event has no effect in its current
// state.
enum class EventAnswer : std::uint8_t { taken, ignored };

}  // namespace cede
