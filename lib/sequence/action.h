// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "sequence/order.h"

namespace cede {

// Numbers of actions; 0 is none, and none is ever used twice.
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
};
inline constexpr std::array<std::string_view, 11> kActionKinds{
    "checkpoint-hint", "signal",      "suspend", "terminate", "mark",        "replan",
    "claim-ready",     "cancel-hint", "requeue", "start",     "release-hold"};

enum class Signal : std::uint8_t { none, interrupt, term, kill };
inline constexpr std::array<std::string_view, 4> kSignals{"", "INT", "TERM", "KILL"};

// What the resource manager is asked to do. Doing one twice is harmless for the sequence; each is to be
// answered with action-done or action-failed. `terminate` asks for removal by whatever means; `release-hold`
// comes once at the end of every hold, also after the start: whatever kept others out may go.
struct Action {
  ActionId id = kNoAction;
  ActionKind kind = ActionKind::signal;
  EntryId entry = kNoEntry;
  std::string job;                 // the victim; of start, the requester
  std::vector<std::string> tasks;  // the victim's, without those already gone
  Signal signal = Signal::none;
  Time deadline = kNoTime;  // when the next harsher step comes, or the hold expires; kNoTime: never
  RequesterKind requester = RequesterKind::job;
  std::string preemptor;  // for whom: a job, a queue, or what relief is for
  std::string cause;
  std::uint64_t plan = 0;
  std::uint64_t revision = 0;

  // requeue
  bool resume = false;
  bool waits_for_owner = false;
  bool keep_local = false;  // also of suspend
  Time submitted = kNoTime;
  Time waiting_since = kNoTime;
  std::uint32_t preempted_count = 0;

  std::vector<Place> placement;  // of start, claim-ready and release-hold

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
  gone,  // not the adapter's: the job is absent from a new model
};
inline constexpr std::array<std::string_view, 14> kEventKinds{
    "checkpoint-progress", "checkpoint-done", "checkpoint-failed", "defer",     "released", "exited",
    "claim-done",          "started",         "cancelled",         "node-down", "node-up",  "action-done",
    "action-failed",       "job-is-gone"};

// What happened. Events about a job may name one task; without one they mean every task of it that the
// ledger knows.
struct Event {
  EventKind kind = EventKind::checkpoint_progress;
  std::string job = {};
  std::string task = {};
  std::string node = {};
  EntryId entry = kNoEntry;
  ActionId action = kNoAction;
  Duration length = 0;    // of defer
  std::int64_t code = 0;  // of exited
  std::string text = {};  // of action-failed

  bool operator==(const Event&) const = default;
};

// `ignored`: about something the ledger does not know, or that means nothing in its present state.
enum class EventAnswer : std::uint8_t { taken, ignored };

}  // namespace cede
