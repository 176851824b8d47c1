// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sequence_invariants.h"
#include "sequence_plain_steps.h"

namespace cede {

// As the plain model writes actions: with entry and tasks, without number.
inline std::string full_text(const Action& action) {
  std::string text = '#' + std::to_string(action.entry) + ' ';
  text += action.kind == ActionKind::signal ? to_word(action.signal, kSignals)
                                            : to_word(action.kind, kActionKinds);
  if (!action.job.empty()) text += ' ' + action.job;
  for (const std::string& task : action.tasks) text += '/' + task;
  const bool left = action.kind == ActionKind::requeue || action.kind == ActionKind::gone;
  if (left) text += ' ' + std::string(to_word(action.how, kExitResults));
  if (action.kind == ActionKind::requeue && action.resume) text += " to resume";
  const bool tells = action.kind != ActionKind::start && action.kind != ActionKind::replan;
  if (tells && action.deadline != kNoTime) text += " until " + format_scaled(action.deadline - kStart, 3);
  return text;
}

// What was met on the way, so that a test can tell whether it met everything.
struct Coverage {
  std::map<std::string, std::uint64_t> seen;
  void add(std::string_view kind, std::string_view what) {
    ++seen[std::string(kind) + ' ' + std::string(what)];
  }
};

// The sequence and the plain model, told the same and compared after every step.
class ComparedSequence {
 public:
  void commit(const CommitOrder& order, Time now) {
    std::string why;
    const bool expected = plain_.commit(order, now);
    sometimes([&] { sequence_.commit(order, now, why); });
    ASSERT_EQ(sequence_.commit(order, now, why) != kNoEntry, expected) << why;
  }
  void extend(EntryId id, const CommitOrder& order, Time now) {
    std::string why;
    const bool expected = plain_.extend(id, order, now);
    sometimes([&] { sequence_.extend(id, order, now, why); });
    ASSERT_EQ(sequence_.extend(id, order, now, why), expected) << why;
  }
  void cancel(EntryId id, Time now) {
    std::string why;
    sometimes([&] { sequence_.cancel(id, now, why); });
    ASSERT_EQ(sequence_.cancel(id, now, why), plain_.cancel(id, now)) << why;
  }
  void give_up(EntryId id, Time now) {
    std::string why;
    ASSERT_EQ(sequence_.give_up(id, now, why), plain_.give_up(id, now)) << why;
  }
  void vanish(const std::string& job) {
    sequence_.jobs_gone(std::vector<std::string>{job});
    plain_.gone(job);
  }
  void restart() {
    Problems problems;
    std::optional<Sequence> restored = restore(save(sequence_), problems);
    ASSERT_TRUE(restored.has_value()) << problems.all()[0].message();
    ASSERT_EQ(save(*restored), save(sequence_));
    expect_same_ledger(*restored, sequence_);
    sequence_ = std::move(*restored);
    plain_.restart();
    invariants_.restarted();
  }

  void step(Time now, const std::vector<Event>& events, Coverage* coverage = nullptr) {
    std::vector<PlainSequence::PlainEvent> plain_events;
    for (const Event& event : events) {
      const auto about = listed_.find(event.action);
      plain_events.push_back({event, about == listed_.end() ? PlainSequence::ActionKey{} : about->second});
    }
    sometimes([&] { sequence_.step(now, events); });
    const StepResult result = sequence_.step(now, events);
    std::vector<bool> taken;
    PlainSequence::Texts expected = plain_.step(now, plain_events, taken);
    compare(result, expected, taken, events);
    invariants_.step(sequence_, result);
    if (coverage) look(result, events, *coverage);
  }

  const Sequence& sequence() const { return sequence_; }
  // Every action ever listed, and those of the last step.
  std::vector<ActionId> listed() const {
    std::vector<ActionId> ids;
    for (const auto& [id, key] : listed_) ids.push_back(id);
    return ids;
  }
  const std::vector<ActionId>& fresh() const { return fresh_; }

 private:
  // Before it is done for good.
  template <class Act>
  void sometimes(Act act) {
    if (++turns_ % 32 == 0) rehearse(sequence_, act);
  }

  void compare(const StepResult& result, PlainSequence::Texts& expected, const std::vector<bool>& taken,
               const std::vector<Event>& events) {
    PlainSequence::Texts texts;
    fresh_.clear();
    for (const Action& action : result.actions) {
      texts.push_back(full_text(action));
      if (listed_.contains(action.id)) continue;  // listed again after a restart
      listed_[action.id] = {texts.back(), ++said_[texts.back()]};
      fresh_.push_back(action.id);
    }
    std::sort(texts.begin(), texts.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(texts, expected);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      ASSERT_EQ(result.answers[i] == EventAnswer::taken, taken[i]) << to_word(events[i].kind, kEventKinds);
    }
    std::vector<std::string> real;
    for (const EntryId id : sequence_.ledger().ids()) {
      const Entry& entry = *sequence_.ledger().find(id);
      real.push_back(std::to_string(id) + ' ' + std::string(to_word(entry.clock.state, kEntryStates)));
      for (const Victim& victim : entry.victims) {
        real.back() += ' ' + entry.order_of(victim).job + ':' +
                       std::string(to_word(victim.state.phase, kVictimPhases)) + ':' +
                       std::string(to_word(victim.state.exit_result, kExitResults));
      }
    }
    std::vector<std::string> plain;
    for (const PlainSequence::Entry& entry : plain_.entries) {
      plain.push_back(std::to_string(entry.id) + ' ' + entry.state);
      for (const PlainSequence::Victim& victim : entry.victims) {
        plain.back() += ' ' + victim.order.job + ':' + victim.phase + ':' + victim.exit_result;
      }
    }
    ASSERT_EQ(real, plain);
    const Metrics metrics = sequence_.metrics();
    std::uint64_t preempted = 0;
    for (const auto& [labels, count] : metrics.preemptions) preempted += count;
    ASSERT_EQ(preempted, plain_.preempted);
    ASSERT_EQ(metrics.requeues, plain_.requeued);
    ASSERT_EQ(metrics.failed_checkpoints, plain_.failed_checkpoints);
    ASSERT_EQ(metrics.holds_expired, plain_.expired);
    ASSERT_EQ(metrics.ignored_events, plain_.ignored);
  }

  void look(const StepResult& result, const std::vector<Event>& events, Coverage& coverage) const {
    for (const Action& action : result.actions) {
      coverage.add("action", to_word(action.kind, kActionKinds));
      if (action.kind == ActionKind::signal) coverage.add("signal", to_word(action.signal, kSignals));
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      const bool taken = result.answers[i] == EventAnswer::taken;
      coverage.add(taken ? "taken" : "ignored", to_word(events[i].kind, kEventKinds));
    }
    for (const EntryId id : sequence_.ledger().ids()) {
      const Entry& entry = *sequence_.ledger().find(id);
      coverage.add("entry", to_word(entry.clock.state, kEntryStates));
      for (const Victim& victim : entry.victims) {
        coverage.add("victim", to_word(victim.state.phase, kVictimPhases));
        coverage.add("release", to_word(victim.state.exit_result, kExitResults));
      }
    }
  }

  std::uint64_t turns_ = 0;
  Sequence sequence_;
  PlainSequence plain_;
  StepInvariants invariants_;
  std::map<ActionId, PlainSequence::ActionKey> listed_;
  std::map<std::string, int> said_;
  std::vector<ActionId> fresh_;
};

}  // namespace cede
