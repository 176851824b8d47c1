// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cluster.h"
#include "engine.h"

namespace lives {

enum class RequesterKind { job, claim, relief };

// One run of a task that a committed plan takes away.
struct Victim {
  std::string job;
  std::string task;
  std::uint64_t run = 0;
  Place place;
  bool given_up = false;  // it could not be removed, and its entry was planned anew without it
};

// What was committed, as the plan said it; the state is what the library said last.
struct Entry {
  std::uint64_t id = 0;
  RequesterKind kind = RequesterKind::job;
  std::string requester;
  std::string group;
  std::string queue;
  std::string profile;  // of its group when it was committed
  std::vector<PlaceView> places;
  std::map<std::string, Resources> asked;  // by task
  std::vector<std::string> claimed;        // nodes
  std::vector<Victim> victims;
  std::vector<std::string> after;  // whose victims it counts on too
  int32_t state = CEDE_ENTRY_PREPARING;
  bool has_hold = true;
  bool started_once = false;      // START or CLAIM-READY was given, and the entry was not short since
  bool queues_disturbed = false;  // limits or usage of its queues were changed by others since the commit
  bool claimed_lost = false;      // a claimed node was not up at the commit
  bool claim_disturbed = false;   // somebody was put on a claimed node since the commit
  bool space_disturbed = false;   // reservations came since the commit

  bool is_live() const { return lives::is_live(state); }
  bool holds() const { return is_live() && state != CEDE_ENTRY_SHORT && has_hold; }
};

// Everything the harness remembers of its talk with one engine.
struct Book {
  std::map<std::uint64_t, Entry> entries;
  std::map<std::uint64_t, ActionView> issued;  // all actions
  std::map<std::uint64_t, ActionView> open;    // those that were not answered
  std::map<std::uint64_t, Millis> terminated;  // by run: when TERM was given last
  std::set<std::uint64_t> released;            // runs the library was told to be gone, by an event it took
  Millis now = 0;                              // the latest time the engine was told

  Entry* live_entry_of(const std::string& job);
  // The live entry that takes this run away, not counting one.
  const Entry* taker_of(std::uint64_t run, std::uint64_t but = 0) const;
};

}  // namespace lives
