// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "sequence/save.h"
#include "sequence/sequence.h"

namespace cede {

inline constexpr Time kStart = 1'760'000'000'000;  // when scripts begin; they tell seconds since then

inline constexpr auto kCheckpoint = VictimAction::checkpoint;
inline constexpr auto kSuspend = VictimAction::suspend;
inline constexpr auto kTerminate = VictimAction::terminate;
inline constexpr auto kSoftEvict = VictimAction::soft_evict;
inline constexpr auto kSignalFirst = VictimAction::signal_first;

inline bool long_tier() {
  const char* set = std::getenv("CEDE_LONG");
  return set && *set && std::string_view(set) != "0";
}

inline Time at(std::int64_t seconds) { return kStart + seconds * kSecond; }

inline Place place(std::string task, std::string node, DeviceMask gpus = 0) {
  Place place;
  place.task = std::move(task);
  place.node = std::move(node);
  place.gpus = gpus;
  place.resources = {{"gpu", 1000}};
  return place;
}

// A victim of one task `t0` on node `n-JOB`, or of the tasks given, each on a node of its own.
inline VictimOrder victim(const std::string& job, VictimAction action,
                          const std::vector<std::string>& tasks = {"t0"}) {
  VictimOrder victim;
  victim.job = job;
  victim.queue = "root.low";
  victim.user = "u-" + job;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    victim.tasks.push_back(place(tasks[i], "n-" + job + (i == 0 ? "" : std::to_string(i))));
  }
  victim.terms.action = action;
  victim.submitted = at(-1000);
  victim.preempted_count = 2;
  victim.lost_work = 1500;
  return victim;
}

inline CommitOrder order_for(const std::string& job, std::vector<VictimOrder> victims = {}) {
  CommitOrder order;
  order.requester.name = job;
  order.group = "g";
  order.profile = "class-cost";
  order.cause = "priority";
  order.plan = 7;
  order.revision = 3;
  order.outcome = victims.empty() ? Outcome::fits : Outcome::preempt;
  order.placement = {place("t0", "n-" + job)};
  order.victims = std::move(victims);
  return order;
}

// `TERM a until 30`: an action in a few words, times as seconds since the script began.
inline std::string words(const Action& action) {
  std::string text;
  switch (action.kind) {
    case ActionKind::signal: text = to_word(action.signal, kSignals); break;
    default: text = to_word(action.kind, kActionKinds);
  }
  switch (action.kind) {
    case ActionKind::replan:
    case ActionKind::claim_ready:
    case ActionKind::release_hold: return text + " #" + std::to_string(action.entry);
    case ActionKind::start: return text + ' ' + action.job;
    case ActionKind::cancel_hint: return text + ' ' + action.job;
    case ActionKind::requeue: return text + ' ' + action.job + (action.resume ? " to resume" : "");
    case ActionKind::gone:
      return text + ' ' + action.job + ' ' + std::string(to_word(action.how, kExitResults));
    default: break;
  }
  text += ' ' + action.job;
  if (action.deadline != kNoTime) text += " until " + format_scaled(action.deadline - kStart, 3);
  return text;
}

using Words = std::vector<std::string>;

inline Words words(const std::vector<Action>& actions) {
  Words all;
  for (const Action& action : actions) all.push_back(words(action));
  return all;
}

inline Time time_of(const CowMap<std::string, Time>& times, std::string_view name) {
  const Time* found = times.find(name);
  return found ? *found : kNoTime;
}

inline Event event(EventKind kind, std::string job = {}, std::string task = {}) {
  Event event;
  event.kind = kind;
  event.job = std::move(job);
  event.task = std::move(task);
  return event;
}
inline Event progress(std::string job) { return event(EventKind::checkpoint_progress, std::move(job)); }
inline Event done(std::string job, std::string task = {}) {
  return event(EventKind::checkpoint_done, std::move(job), std::move(task));
}
inline Event failed(std::string job, std::string task = {}) {
  return event(EventKind::checkpoint_failed, std::move(job), std::move(task));
}
inline Event defer(std::string job, std::int64_t seconds) {
  Event asked = event(EventKind::defer, std::move(job));
  asked.length = seconds * kSecond;
  return asked;
}
inline Event released(std::string job, std::string task = {}) {
  return event(EventKind::released, std::move(job), std::move(task));
}
inline Event exited(std::string job) { return event(EventKind::exited, std::move(job)); }
inline Event started(std::string job) { return event(EventKind::started, std::move(job)); }
inline Event cancelled(std::string job) { return event(EventKind::cancelled, std::move(job)); }
inline Event of_node(EventKind kind, std::string node) {
  Event about = event(kind);
  about.node = std::move(node);
  return about;
}
inline Event node_down(std::string node) { return of_node(EventKind::node_down, std::move(node)); }
inline Event node_up(std::string node) { return of_node(EventKind::node_up, std::move(node)); }
inline Event claim_done(EntryId entry) {
  Event about = event(EventKind::claim_done);
  about.entry = entry;
  return about;
}
inline Event answer(EventKind kind, ActionId id) {
  Event about = event(kind);
  about.action = id;
  return about;
}

// Everything in the ledger that outlives a restart: all but when actions were sent and listed.
inline std::vector<Entry> lasting_entries(const Sequence& sequence) {
  std::vector<Entry> entries;
  for (const EntryId id : sequence.ledger().ids()) {
    Entry entry = *sequence.ledger().find(id);
    entry.notice.sent = entry.release.sent = kNoTime;
    for (Victim& victim : entry.victims) {
      victim.listed = false;
      victim.state.sent = victim.pending_action.sent = kNoTime;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

inline void expect_same_ledger(const Sequence& a, const Sequence& b) {
  const std::vector<Entry> of_a = lasting_entries(a);
  const std::vector<Entry> of_b = lasting_entries(b);
  ASSERT_EQ(of_a.size(), of_b.size());
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    ASSERT_EQ(of_a[i].id, of_b[i].id);
    ASSERT_EQ(of_a[i].clock, of_b[i].clock);
    ASSERT_EQ(of_a[i].committed, of_b[i].committed);
    ASSERT_EQ(of_a[i].hold_taken, of_b[i].hold_taken);
    ASSERT_EQ(of_a[i].placed_by, of_b[i].placed_by);
    ASSERT_EQ(of_a[i].lost_nodes, of_b[i].lost_nodes);
    ASSERT_TRUE(of_a[i].borrowed_rooms == of_b[i].borrowed_rooms) << "entry " << of_a[i].id;
    ASSERT_TRUE(of_a[i].lent == of_b[i].lent) << "entry " << of_a[i].id;
    ASSERT_EQ(of_a[i].tasks, of_b[i].tasks);
    ASSERT_EQ(of_a[i].notice, of_b[i].notice);
    ASSERT_EQ(of_a[i].release, of_b[i].release);
    ASSERT_EQ(of_a[i].victims.size(), of_b[i].victims.size());
    for (std::size_t v = 0; v < of_a[i].victims.size(); ++v) {
      ASSERT_TRUE(of_a[i].victims[v] == of_b[i].victims[v]) << "entry " << of_a[i].id << ", victim " << v;
    }
    ASSERT_EQ(of_a[i].orders.size(), of_b[i].orders.size());
    for (std::size_t o = 0; o < of_a[i].orders.size(); ++o) {
      ASSERT_TRUE(*of_a[i].orders[o] == *of_b[i].orders[o]) << "entry " << of_a[i].id << ", order " << o;
    }
  }
}

// Does to the sequence what is then taken back: nothing may be left of it.
template <class Act>
void rehearse(Sequence& sequence, Act act) {
  const std::string before = save(sequence);
  const Time due = sequence.next_due();
  {
    const Undo undo(sequence);
    act();
  }
  EXPECT_EQ(save(sequence), before);
  EXPECT_EQ(sequence.next_due(), due);
}

// A sequence driven by hand: actions are acknowledged at once unless a test says otherwise.
class Script {
 public:
  EntryId commit(CommitOrder order, std::int64_t seconds = 0) {
    std::string why;
    rehearse(sequence, [&] { sequence.commit(order, at(seconds), why); });
    const EntryId id = sequence.commit(std::move(order), at(seconds), why);
    EXPECT_EQ(why, "");
    return id;
  }

  // What the step lists, apart from victims that are gone for good, which are in `left`. With `acknowledge`
  // the manager does all of it at once and says so.
  Words step(std::int64_t seconds, std::vector<Event> events = {}) {
    rehearse(sequence, [&] { sequence.step(at(seconds), events); });
    StepResult result = sequence.step(at(seconds), events);
    answers = result.answers;
    last = result.actions;
    if (acknowledge) {
      std::vector<Event> done;
      for (const Action& action : last) done.push_back(answer(EventKind::action_done, action.id));
      const StepResult empty = sequence.step(at(seconds), done);
      EXPECT_EQ(words(empty.actions), Words{});
    }
    left.clear();
    Words listed;
    for (const Action& action : last)
      (action.kind == ActionKind::gone ? left : listed).push_back(words(action));
    return listed;
  }

  // The id of the last listed action of these words.
  ActionId id_of(std::string_view text) const {
    for (const Action& action : last) {
      if (words(action) == text) return action.id;
    }
    ADD_FAILURE() << "no action '" << text << "'";
    return kNoAction;
  }
  Event fails(std::string_view text) const { return answer(EventKind::action_failed, id_of(text)); }
  Event succeeds(std::string_view text) const { return answer(EventKind::action_done, id_of(text)); }

  std::string state(EntryId id = 1) const {
    const Entry* entry = sequence.ledger().find(id);
    return entry ? std::string(to_word(entry->clock.state, kEntryStates)) : "gone";
  }
  const Victim* find(std::string_view job) const {
    const Victim* found = nullptr;
    for (const EntryId id : sequence.ledger().ids()) {
      const Entry& entry = *sequence.ledger().find(id);
      for (const Victim& victim : entry.victims) {
        if (entry.order_of(victim).job == job) found = &victim;
      }
    }
    return found;
  }
  std::string phase(std::string_view job) const {
    const Victim* victim = find(job);
    return victim ? std::string(to_word(victim->state.phase, kVictimPhases)) : "gone";
  }
  std::string release(std::string_view job) const {
    const Victim* victim = find(job);
    return victim ? std::string(to_word(victim->state.exit_result, kExitResults)) : "gone";
  }
  std::uint64_t preemptions() const {
    std::uint64_t all = 0;
    for (const auto& [labels, count] : sequence.metrics().preemptions) all += count;
    return all;
  }

  Sequence sequence;
  bool acknowledge = true;
  std::vector<Action> last;
  Words left;
  std::vector<EventAnswer> answers;
};

}  // namespace cede
