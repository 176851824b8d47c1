// SPDX-License-Identifier: MIT
// Numbers of the ABI as words, for findings and traces.
#include <algorithm>

#include "engine.h"

namespace lives {

bool is_live(int32_t state) {
  return state == CEDE_ENTRY_PREPARING || state == CEDE_ENTRY_WAITING || state == CEDE_ENTRY_SHORT ||
         state == CEDE_ENTRY_READY;
}

const LedgerEntry* LedgerView::find(std::uint64_t entry) const {
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [&](const LedgerEntry& each) { return each.facts.entry == entry; });
  return at == entries.end() ? nullptr : &*at;
}

const char* state_name(int32_t state) {
  static const char* const names[] = {"none",    "preparing", "waiting",   "short", "ready",
                                      "started", "expired",   "cancelled", "failed"};
  return state >= 0 && state <= 8 ? names[state] : "?";
}

const char* action_name(const cede_action& action) {
  static const char* const names[] = {"none",  "checkpoint-hint", "signal",      "suspend",     "terminate",
                                      "mark",  "replan",          "claim-ready", "cancel-hint", "requeue",
                                      "start", "release-hold",    "gone"};
  if (action.kind == CEDE_DO_SIGNAL)
    return action.signal == CEDE_SIGNAL_INT ? "INT" : action.signal == CEDE_SIGNAL_TERM ? "TERM" : "KILL";
  return action.kind >= 0 && action.kind <= 12 ? names[action.kind] : "?";
}

const char* event_name(int32_t kind) {
  static const char* const names[] = {
      "none",        "checkpoint-progress", "checkpoint-done", "checkpoint-failed", "defer",     "released",
      "exited",      "claim-done",          "started",         "cancelled",         "node-down", "node-up",
      "action-done", "action-failed"};
  return kind >= 0 && kind <= 13 ? names[kind] : "?";
}

std::string place_text(const PlaceView& view) {
  std::string out = view.task + " on " + view.place.node;
  if (!view.place.devices_known) return out + " (devices assumed)";
  out += " devices {";
  for (int device = 0; device < 64; ++device) {
    if ((view.place.gpus >> device & 1) != 0) out += (out.back() == '{' ? "" : ",") + std::to_string(device);
  }
  out += "}";
  if (view.place.share > 0)
    out +=
        " share " + std::to_string(view.place.share) + "/1000 of " + std::to_string(view.place.share_device);
  return out;
}

std::string plan_text(const PlanView& plan) {
  std::string out;
  for (const VictimView& victim : plan.victims) {
    out += "; takes " + (victim.hold > 0 ? "the hold of " + victim.job : victim.job);
    for (const std::string& task : victim.tasks) out += victim.hold > 0 ? std::string() : '/' + task;
  }
  for (const std::string& job : plan.after) out += "; after " + job;
  for (const PlaceView& place : plan.places) out += "; " + place_text(place);
  return out;
}

}  // namespace lives
