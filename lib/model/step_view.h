// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/ledger_view.h"

namespace cede {

// The words of documents for what a manager may report, in the order of the kinds of events.
inline constexpr std::array<std::string_view, 13> kToldEvents{
    "checkpoint-progress", "checkpoint-done", "checkpoint-failed", "defer",     "released", "exited",
    "claim-done",          "started",         "cancelled",         "node-down", "node-up",  "action-done",
    "action-failed"};

// An event as a document gives it.
struct EventView {
  std::uint8_t event = 0;  // index into kToldEvents
  std::string job;
  std::string task;
  std::string node;
  std::int64_t entry = 0;
  std::int64_t action = 0;
  Duration length = 0;
  std::int64_t code = 0;
  std::string text;
};

// The result of a step as plain data for a document. Words are those of the sequence; an empty one is not
// shown.
struct StepView {
  struct Action {
    std::uint64_t id = 0;
    std::string_view action;
    std::uint64_t entry = 0;
    std::uint64_t plan = 0;
    std::string_view requester_kind;
    std::string requester;
    std::string cause;
    std::string job;
    std::vector<std::string> tasks;
    std::string_view signal;
    std::string_view via;
    std::string_view how;
    Time deadline = kNoTime;
    bool is_requeue = false;  // what follows is shown
    bool resume = false;
    bool waits_for_owner = false;
    bool keep_local = false;
    Time submitted = kNoTime;
    Time waiting_since = kNoTime;
    std::uint32_t preempted_count = 0;
    bool has_places = false;
    std::vector<LedgerView::Place> places;
  };
  Time now = kNoTime;
  Time next_due = kNoTime;
  std::vector<Action> actions;
  std::vector<bool> taken;  // per event
};

}  // namespace cede
