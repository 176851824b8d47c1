// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sequence_script.h"

namespace cede {

// What must hold after every step, whatever happens.
class StepInvariants {
 public:
  void restarted() { again_ = true; }

  void step(const Sequence& sequence, const StepResult& result) {
    for (const Action& action : result.actions) listed(action, result.now);
    again_ = false;
    ledger(sequence, result);
    for (const Action& action : result.actions) {
      if (action.kind == ActionKind::release_hold) held_.erase(action.entry);
    }
  }

  // What of the past matters for the future, for telling states apart.
  std::string key(Time now) const {
    std::string key = std::to_string(started_.size()) + '/' + std::to_string(hints_.size()) + '/';
    for (const auto& [unit, ends] : grace_ends_) {
      key += unit.first + std::to_string(std::max<Time>(ends - now, 0)) + ' ';
    }
    return key;
  }

 private:
  using Unit = std::pair<std::string, std::string>;  // job and task

  void listed(const Action& action, Time now) {
    const bool known = !ids_.insert(action.id).second;
    if (known) {
      ASSERT_TRUE(again_) << "action " << action.id << " is listed twice";
    } else {
      ASSERT_GT(action.id, last_id_) << "ids only grow";
      last_id_ = action.id;
    }
    switch (action.kind) {
      case ActionKind::start:
        if (known) break;
        ASSERT_TRUE(started_.insert(action.entry).second) << "entry " << action.entry << " starts twice";
        break;
      case ActionKind::replan: started_.erase(action.entry); break;  // what was given before is void
      case ActionKind::checkpoint_hint:
        for (const std::string& task : action.tasks) {
          if (known) break;
          const bool first = hints_.emplace(action.job, task).second;
          ASSERT_TRUE(first) << "a second hint for " << action.job;
        }
        break;
      case ActionKind::signal:
        for (const std::string& task : action.tasks) {
          if (action.signal == Signal::term) grace_ends_[{action.job, task}] = action.deadline;
          if (action.signal != Signal::kill) continue;
          ASSERT_TRUE(grace_ends_.contains({action.job, task})) << "KILL without TERM for " << action.job;
          ASSERT_GE(now, grace_ends_.at({action.job, task})) << "KILL before its grace for " << action.job;
        }
        break;
      default: break;
    }
  }

  void ledger(const Sequence& sequence, const StepResult& result) {
    std::set<Unit> held;
    std::set<EntryId> holding;
    std::uint64_t in_flight = 0;
    for (const EntryId id : sequence.ledger().ids()) {
      const Entry& entry = *sequence.ledger().find(id);
      if (is_live(entry.clock.state) && entry.has_hold()) holding.insert(id);
      for (const Victim& victim : entry.victims) {
        const VictimOrder& order = entry.order_of(victim);
        if (victim.state.finished()) continue;
        ++in_flight;
        for (std::size_t i = 0; i < order.tasks.size(); ++i) {
          const std::string& task = order.tasks[i].task;
          // One that is gone may run again, and be another entry's then.
          if (is_gone(entry.tasks[victim.first_task + i])) continue;
          ASSERT_TRUE(held.emplace(order.job, task).second) << order.job << " is in two entries";
          ASSERT_EQ(sequence.ledger().holder_of(order.job, task), id);
        }
        ASSERT_EQ(victim.action != kNoAction, sequence.ledger().owner_of(victim.action).has_value());
      }
    }
    // A task that no entry holds any more may be taken, hinted and ended anew.
    std::erase_if(hints_, [&](const auto& hint) { return !held.contains(hint); });
    std::erase_if(grace_ends_, [&](const auto& grace) { return !held.contains(grace.first); });
    // A hold ends with its release-hold and in no other way.
    for (const EntryId id : held_) {
      bool told = holding.contains(id);
      for (const Action& action : result.actions) {
        told = told || (action.kind == ActionKind::release_hold && action.entry == id);
      }
      ASSERT_TRUE(told) << "the hold of entry " << id << " is gone";
    }
    held_.insert(holding.begin(), holding.end());
    ASSERT_EQ(sequence.metrics().in_flight, in_flight);
    ASSERT_EQ(sequence.metrics().holds, holding.size());
    ASSERT_EQ(sequence.holds().size(), holding.size());
  }

  bool again_ = false;
  ActionId last_id_ = 0;
  std::set<ActionId> ids_;
  std::set<EntryId> started_;
  std::set<EntryId> held_;
  std::set<Unit> hints_;
  std::map<Unit, Time> grace_ends_;
};

}  // namespace cede
