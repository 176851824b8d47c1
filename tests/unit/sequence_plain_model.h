// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sequence_script.h"

// The sequence once more, written for being read: phases are words in a table, clocks are counters that run
// down, every step looks at everything. It shares only the plain structs of orders and events with the real
// one; random streams of events must find no difference between the two.
namespace cede {

class PlainSequence {
 public:
  // Which listed action an answer is for: its text when it was first listed, and which one of that text.
  using ActionKey = std::pair<std::string, int>;
  struct PlainEvent {
    Event event;
    ActionKey about;
  };
  using Texts = std::vector<std::string>;

  struct Task {
    std::string label;
    std::string node;
    bool done = false;
    bool gone = false;
  };
  struct PendingAction {
    std::string what;  // empty: none
    ActionKey key = {};
    bool listed = false;
    Duration silence_left = 0;
    std::uint32_t failures = 0;
  };
  struct Victim {
    VictimOrder order;
    Duration action_timeout = 0;
    std::uint32_t retries = 0;
    std::string cause;
    Time latest = kNoTime;  // start, of the order it came with
    std::vector<Task> tasks;
    std::string phase = "planned";
    std::string exit_result = "none";
    bool needed = true;
    bool ending = false;
    bool saved = false;
    bool kept = false;  // by its nodes
    bool failed = false;
    bool lost_task = false;
    bool progressed = false;
    bool extended = false;
    bool timed = false;
    Duration left = 0;    // until the phase ends by itself
    Duration paused = 0;  // before `left` runs on
    Duration deferral_left = 0;
    bool unanswered = false;
    bool list_again = false;
    Duration silence_left = 0;
    ActionKey open;
    std::uint32_t failures = 0;
    PendingAction pending_action;

    std::vector<std::string> said_now;  // in this step
    bool is_finished() const { return phase == "released" || phase == "spared"; }
    // Whether a mark is its exit, at once or after a hint.
    bool is_for_marking() const {
      const VictimTerms& terms = order.terms;
      if (terms.action != VictimAction::checkpoint) return terms.action == VictimAction::soft_evict;
      return terms.then == VictimAction::soft_evict || terms.unsaved == VictimAction::soft_evict;
    }
    bool has_no_limit() const {
      return needed && !is_finished() && is_for_marking() && order.terms.soft_evict_timeout == kNoDuration;
    }
  };
  struct Entry {
    EntryId id = 0;
    CommitOrder order;
    std::vector<Place> placement;
    std::string state = "preparing";
    bool bounded = true;
    Duration left = 0;  // of waiting, or of the hold
    Time committed = 0;
    Time latest = kNoTime;
    bool hold_taken = false;
    Time bound_at = 0;  // where it is bounded
    std::vector<std::string> lost_nodes;
    std::vector<Victim> victims;
    PendingAction notice;
    PendingAction release;
    bool is_live() const {
      return state == "preparing" || state == "waiting" || state == "short" || state == "ready";
    }
    bool has_hold() const {
      return is_live() && !hold_taken && order.requester.kind != RequesterKind::relief;
    }
  };

  bool commit(const CommitOrder& order, Time now);
  bool extend(EntryId id, const CommitOrder& order, Time now);
  bool cancel(EntryId id, Time now, const std::string& how = "cancelled");
  bool give_up(EntryId id, Time now);
  void gone(const std::string& job);
  void restart();
  Texts step(Time now, const std::vector<PlainEvent>& events, std::vector<bool>& taken);

  std::vector<Entry> entries;
  std::uint64_t preempted = 0;
  std::uint64_t requeued = 0;
  std::uint64_t failed_checkpoints = 0;
  std::uint64_t expired = 0;
  std::uint64_t ignored = 0;

 private:
  void pass(Time now);
  bool conflicts(const CommitOrder& order, EntryId own) const;
  void add(Entry& entry, const CommitOrder& order);
  void set_bound(Entry& entry);
  void become_ready(Entry& entry);
  Entry* find(EntryId id);
  bool happens(const PlainEvent& event);
  bool happens_to_victim(Entry& entry, Victim& victim, const PlainEvent& event);
  bool answered(const PlainEvent& event);
  void end(Entry& entry, const std::string& how, bool spare);
  void unsay(Victim& victim);
  void spare(Entry& entry, Victim& victim);
  void enter(Entry& entry, Victim& victim, const std::string& phase);
  void list(Entry& entry, Victim& victim, bool again);
  void leave(Entry& entry, Victim& victim, const std::vector<Task*>& tasks, const std::string& how);
  void fail(Entry& entry, Victim& victim);
  void checkpoint_failed(Entry& entry, Victim& victim);
  void run_clocks(Entry& entry, Victim& victim);
  void step_run(Entry& entry);
  void pending_action_failed(Entry& entry, PendingAction& pending_action);
  void list_pending_action(Entry& entry, PendingAction& pending_action, const Victim* victim);
  void say(const std::string& text, ActionKey* key);

  Time now_ = kNoTime;
  EntryId last_ = 0;
  std::map<std::string, int> said_;
  Texts texts_;
  std::vector<std::string> gone_;
  std::vector<std::string> vanished_;  // the same, also where nothing is known of them
};

inline void PlainSequence::pass(Time now) {
  if (now_ == kNoTime) now_ = now;
  const Duration passed = std::max<Duration>(now - now_, 0);
  now_ += passed;
  const auto pending_action_ages = [&](PendingAction& pending_action) {
    if (pending_action.listed) pending_action.silence_left -= passed;
  };
  for (Entry& entry : entries) {
    entry.left -= passed;
    pending_action_ages(entry.notice);
    pending_action_ages(entry.release);
    for (Victim& victim : entry.victims) {
      const Duration pause = std::min(victim.paused, passed);
      victim.paused -= pause;
      victim.left -= passed - pause;
      victim.silence_left -= passed;
      pending_action_ages(victim.pending_action);
    }
  }
}

inline PlainSequence::Entry* PlainSequence::find(EntryId id) {
  for (Entry& entry : entries) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

inline bool PlainSequence::conflicts(const CommitOrder& order, EntryId own) const {
  for (const Entry& entry : entries) {
    const bool same =
        entry.order.requester.kind == RequesterKind::job && entry.order.requester == order.requester;
    if (same && entry.is_live() && entry.id != own) return true;
    for (const Victim& victim : entry.victims) {
      if (victim.is_finished()) continue;
      for (const VictimOrder& wanted : order.victims) {
        for (const Place& task : wanted.tasks) {
          for (const Task& held : victim.tasks) {
            if (!held.gone && wanted.job == victim.order.job && task.task == held.label) return true;
          }
        }
      }
    }
  }
  for (const VictimOrder& wanted : order.victims) {
    if (wanted.job == order.requester.name && order.requester.kind == RequesterKind::job) return true;
    if (wanted.hold == kNoEntry) continue;
    const auto taken =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.id == wanted.hold; });
    if (taken == entries.end() || taken->id == own || !taken->has_hold() || taken->state == "ready")
      return true;
  }
  return false;
}

inline void PlainSequence::add(Entry& entry, const CommitOrder& order) {
  entry.latest = std::max(entry.latest, order.latest_start);
  entry.placement = order.placement;
  for (const VictimOrder& wanted : order.victims) {
    if (wanted.hold != kNoEntry) continue;
    Victim victim;
    victim.order = wanted;
    victim.action_timeout = order.action_timeout;
    victim.retries = order.max_action_retries;
    victim.cause = order.cause;
    victim.latest = order.latest_start;
    victim.deferral_left = wanted.terms.max_deferral;
    for (const Place& task : wanted.tasks) victim.tasks.push_back({task.task, task.node});
    std::sort(victim.tasks.begin(), victim.tasks.end(),
              [](const Task& a, const Task& b) { return a.label < b.label; });
    entry.victims.push_back(victim);
  }
  for (const VictimOrder& wanted : order.victims) {
    if (wanted.hold == kNoEntry) continue;
    Entry& loser = *find(wanted.hold);
    std::vector<Victim> kept;
    for (Victim& victim : loser.victims) {
      if (victim.needed && !victim.is_finished()) {
        entry.victims.push_back(victim);
        entry.latest = std::max(entry.latest, victim.latest);
      } else {
        kept.push_back(victim);
      }
    }
    loser.victims = kept;
    loser.hold_taken = true;
    loser.state = "short";
    loser.notice = {.what = "replan"};
    loser.release = {.what = "release-hold"};
    set_bound(loser);
  }
}

inline void PlainSequence::set_bound(Entry& entry) {
  entry.bound_at = std::max(entry.committed + entry.order.entry_timeout, entry.latest);
  entry.left = entry.bound_at - now_;
  entry.bounded = std::none_of(entry.victims.begin(), entry.victims.end(),
                               [](const Victim& v) { return v.has_no_limit(); });
}

inline void PlainSequence::become_ready(Entry& entry) {
  const RequesterKind kind = entry.order.requester.kind;
  entry.state = kind == RequesterKind::relief ? "started" : "ready";
  entry.left = entry.order.hold_timeout;
  entry.notice = {};
  if (kind == RequesterKind::job) entry.notice = {.what = "start"};
  if (kind == RequesterKind::claim) entry.notice = {.what = "claim-ready"};
}

inline bool PlainSequence::commit(const CommitOrder& order, Time now) {
  if (conflicts(order, kNoEntry)) return false;
  pass(now);
  Entry entry;
  entry.id = ++last_;
  entry.order = order;
  entry.committed = now_;
  add(entry, order);
  set_bound(entry);
  if (entry.victims.empty()) {
    become_ready(entry);
  }
  entries.push_back(entry);
  return true;
}

inline bool PlainSequence::extend(EntryId id, const CommitOrder& order, Time now) {
  const Entry* known = find(id);
  if (!known || known->state != "short" || known->order.requester != order.requester) return false;
  if (conflicts(order, id)) return false;
  pass(now);
  Entry entry = *find(id);
  for (Victim& victim : entry.victims) {
    if (victim.phase == "stuck") victim.needed = false;
  }
  add(entry, order);
  entry.hold_taken = false;
  entry.lost_nodes.clear();
  entry.notice = {};
  entry.release = {};
  entry.state = "waiting";
  set_bound(entry);
  if (std::all_of(entry.victims.begin(), entry.victims.end(),
                  [](const Victim& v) { return !v.needed || v.is_finished(); })) {
    become_ready(entry);
  }
  *find(id) = entry;
  return true;
}

inline bool PlainSequence::cancel(EntryId id, Time now, const std::string& how) {
  Entry* entry = find(id);
  if (!entry || !entry->is_live()) return false;
  pass(now);
  end(*entry, how, true);
  return true;
}

inline bool PlainSequence::give_up(EntryId id, Time now) {
  Entry* entry = find(id);
  return entry && entry->state == "short" && cancel(id, now, "failed");
}

inline void PlainSequence::gone(const std::string& job) {
  vanished_.push_back(job);
  for (const Entry& entry : entries) {
    const bool asks = entry.is_live() && entry.order.requester == Requester{RequesterKind::job, job};
    const bool gives = std::any_of(entry.victims.begin(), entry.victims.end(),
                                   [&](const Victim& v) { return v.order.job == job && !v.is_finished(); });
    if (!asks && !gives) continue;
    gone_.push_back(job);
    return;
  }
}

inline void PlainSequence::restart() {
  vanished_.clear();
  for (Entry& entry : entries) {
    entry.notice.listed = entry.release.listed = false;
    for (Victim& victim : entry.victims) {
      victim.pending_action.listed = false;
      victim.list_again = victim.unanswered;
    }
  }
}

}  // namespace cede
