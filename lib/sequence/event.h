// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "sequence/action.h"

namespace cede {

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
