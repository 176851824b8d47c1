// SPDX-License-Identifier: MIT
#include "sequence/save.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "sequence/metrics_counter.h"

namespace cede {

namespace {

bool in_range(Time time) { return time == kNoTime || (time >= -2 * kMaxTime && time <= 2 * kMaxTime); }

bool runs(VictimPhase phase) { return phase > VictimPhase::planned && phase < VictimPhase::stuck; }

bool is_one_of(const PendingAction& pending_action, std::initializer_list<ActionKind> kinds) {
  return !pending_action.open() || std::find(kinds.begin(), kinds.end(), pending_action.kind) != kinds.end();
}

std::string state_fault(const VictimTerms& terms, const VictimState& state) {
  if (!in_range(state.hinted) || !in_range(state.deadline) || !in_range(state.paused_until) ||
      !in_range(state.released)) {
    return "a time is out of range";
  }
  if (state.deferred < 0 || state.deferred > terms.max_deferral) return "deferred longer than it may";
  const bool released = state.phase == VictimPhase::released;
  if (released != (state.exit_result != ExitResult::none) || released != (state.gone == state.tasks)) {
    return "it is " + std::string(to_word(state.phase, kVictimPhases)) + " with " +
           std::to_string(state.tasks - state.gone) + " tasks left";
  }
  if (state.kept_local && (!terms.keep_local || state.exit_result != ExitResult::saved))
    return "its nodes keep what they may not keep";
  if (state.phase == VictimPhase::checkpointing && (state.hinted == kNoTime || state.deadline == kNoTime)) {
    return "its checkpoint has no deadline";
  }
  return {};
}

std::string victim_fault(const Entry& entry, const Victim& victim) {
  if (victim.order >= entry.orders.size() || victim.index >= entry.orders[victim.order]->victims.size()) {
    return "it is in no order";
  }
  const VictimOrder& order = entry.order_of(victim);
  if (order.hold != kNoEntry) return "it is a hold";
  if (!in_range(order.started_by)) return "a time is out of range";
  const VictimState& state = victim.state;
  if (state.tasks != order.tasks.size() || victim.first_task > entry.tasks.size() ||
      state.tasks > entry.tasks.size() - victim.first_task) {
    return "it has other tasks than its order";
  }
  std::uint32_t done = 0;
  std::uint32_t gone = 0;
  std::uint32_t unsaved = 0;
  for (std::size_t i = 0; i < state.tasks; ++i) {
    const TaskProgress mark = entry.tasks[victim.first_task + i];
    if (is_done(mark)) ++done;
    if (is_gone(mark)) ++gone;
    if (is_gone(mark) && !is_done(mark)) ++unsaved;
  }
  if (done != state.done || gone != state.gone || unsaved != state.gone_unsaved) {
    return "its tasks are not counted right";
  }
  if ((victim.action != kNoAction) != (runs(state.phase) && !state.answered)) {
    return "its action and its phase disagree";
  }
  if (!is_one_of(victim.pending_action, {ActionKind::requeue, ActionKind::cancel_hint, ActionKind::gone}))
    return "its pending action is not one";
  const bool is_sent_back = victim.pending_action.kind == ActionKind::cancel_hint;
  if (victim.pending_action.open() &&
      state.phase != (is_sent_back ? VictimPhase::spared : VictimPhase::released))
    return "its pending action and its phase disagree";
  return state_fault(order.terms, state);
}

// Whether two victims share the mark of a task.
bool overlap(const std::vector<Victim>& victims) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const Victim& victim : victims) {
    ranges.emplace_back(victim.first_task, victim.first_task + std::size_t{victim.state.tasks});
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) return true;
  }
  return false;
}

std::string entry_fault(const Entry& entry) {
  if (entry.orders.empty() || entry.placed_by >= entry.orders.size()) return "it has no order";
  for (const std::shared_ptr<const CommitOrder>& order : entry.orders) {
    if (std::string why = order_fault(*order); !why.empty()) return why;
    if (settled(*order) != *order) return "an order is not in order";
  }
  if (!in_range(entry.committed) || !in_range(entry.clock.deadline) || !in_range(entry.clock.ready_at)) {
    return "a time is out of range";
  }
  if (entry.clock.state == EntryState::ready && entry.clock.ready_at == kNoTime) {
    return "it is ready, and since when is missing";
  }
  if (!is_one_of(entry.notice, {ActionKind::start, ActionKind::claim_ready, ActionKind::replan}) ||
      !is_one_of(entry.release, {ActionKind::release_hold})) {
    return "an action of it is not its own";
  }
  for (std::size_t i = 0; i < entry.borrowed_rooms.size(); ++i) {
    std::string why = borrowed_room_fault(entry.borrowed_rooms[i]);
    if (why.empty() && entry.borrowed_rooms[i].from == entry.id) why = "it is its own";
    if (!why.empty()) return "borrowed[" + std::to_string(i) + "]: " + why;
  }
  for (const Place& place : entry.lent) {
    if (std::string why = space_fault(place); !why.empty()) return "lent: " + why;
  }
  for (const UnnamedRun& run : entry.beside) {
    if (run.node.empty() || run.job.empty() || run.task.empty() || !in_range(run.started))
      return "a run beside it is not one";
  }
  for (std::size_t i = 0; i < entry.victims.size(); ++i) {
    if (std::string why = victim_fault(entry, entry.victims[i]); !why.empty()) {
      return "victims[" + std::to_string(i) + "]: " + why;
    }
  }
  return overlap(entry.victims) ? "two victims share a task" : std::string();
}

// Checks what no two entries may share.
class Uniqueness {
 public:
  explicit Uniqueness(ActionId last_action) : last_action_(last_action) {}

  std::string fault(const Entry& entry) {
    if (entry.requester().kind == RequesterKind::job && is_live(entry.clock.state) &&
        !requesters_.insert(entry.requester().name).second) {
      return "job " + quote(entry.requester().name) + " has two live entries";
    }
    std::string why = action_fault(entry.notice.id);
    if (why.empty()) why = action_fault(entry.release.id);
    for (std::size_t i = 0; i < entry.victims.size() && why.empty(); ++i) {
      why = victim_fault(entry, entry.victims[i]);
    }
    return why;
  }

  // Call it once all entries are known. Every awaited victim must be a victim of an entry.
  std::string awaited_fault(const Entry& entry) const {
    for (const BorrowedRoom& borrowed_room : entry.borrowed_rooms) {
      for (const AwaitedVictim& victim : borrowed_room.victims) {
        const bool open = victim.state == AwaitedState::coming || victim.state == AwaitedState::stuck;
        if (open && is_live(entry.clock.state) && !awaited_.contains({victim.job, victim.task}))
          return "it waits for job " + quote(victim.job) + ", which is no entry's victim";
      }
    }
    return {};
  }

 private:
  std::string victim_fault(const Entry& entry, const Victim& victim) {
    std::string why = action_fault(victim.action);
    if (why.empty()) why = action_fault(victim.pending_action.id);
    if (victim.state.finished()) return why;
    const VictimOrder& order = entry.order_of(victim);
    for (std::size_t i = 0; i < order.tasks.size() && why.empty(); ++i) {
      awaited_.emplace(order.job, order.tasks[i].task);
      if (is_gone(entry.tasks[victim.first_task + i])) continue;  // it may run again and be taken again
      if (!tasks_.emplace(order.job, order.tasks[i].task).second) {
        why = "task " + quote(order.tasks[i].task) + " of job " + quote(order.job) + " is in two entries";
      }
    }
    return why;
  }

  std::string action_fault(ActionId id) {
    if (id == kNoAction) return {};
    if (id > last_action_) {
      return "action " + std::to_string(id) + " is beyond the last, " + std::to_string(last_action_);
    }
    return actions_.insert(id).second ? std::string() : "action " + std::to_string(id) + " is there twice";
  }

  const ActionId last_action_;
  std::set<std::string_view> requesters_;
  std::set<std::pair<std::string_view, std::string_view>> tasks_;
  std::set<std::pair<std::string_view, std::string_view>> awaited_;  // also tasks that are gone
  std::set<ActionId> actions_;
};

}  // namespace

std::string entries_fault(const std::vector<Entry>& entries, EntryId last_entry, ActionId last_action) {
  constexpr std::uint64_t kLastNumber = std::uint64_t{1} << 62U;  // counting never reaches this
  if (last_entry > kLastNumber || last_action > kLastNumber) return "a last number is out of range";
  Uniqueness unique(last_action);
  EntryId before = kNoEntry;
  for (const Entry& entry : entries) {
    const std::string name = "entry " + std::to_string(entry.id);
    if (entry.id <= before) return name + " is out of order";
    if (entry.id > last_entry) return name + " is beyond the last, " + std::to_string(last_entry);
    before = entry.id;
    std::string why = entry_fault(entry);
    if (why.empty()) why = unique.fault(entry);
    if (!why.empty()) return name + ": " + why;
  }
  for (const Entry& entry : entries) {
    if (std::string why = unique.awaited_fault(entry); !why.empty())
      return "entry " + std::to_string(entry.id) + ": " + why;
  }
  return {};
}

std::string named_times_fault(const std::vector<std::pair<std::string, Time>>& times) {
  for (const auto& [name, time] : times) {
    if (!in_range(time)) return "a time of " + quote(name) + " is out of range";
  }
  return {};
}

std::string times_fault(Time now, Duration storm_length, const std::vector<StormWindow::Row>& storm,
                        const std::vector<std::pair<std::string, std::int64_t>>& lost_work) {
  if (now != kNoTime && (now < -kMaxTime || now > kMaxTime)) return "now is out of range";
  if (storm_length < 0 || storm_length > kMaxDuration) return "the storm window is out of range";
  for (const StormWindow::Row& row : storm) {
    Time before = kNoTime;
    for (const StormWindow::Record& record : row.records) {
      const bool sound = record.at > before && record.at >= -kMaxTime && record.at <= kMaxTime &&
                         record.amount > 0 && record.amount <= StormWindow::kMaxSum;
      if (!sound) return "the storm window of " + quote(row.name) + " is not sound";
      before = record.at;
    }
  }
  for (const auto& [queue, lost] : lost_work) {
    if (lost < 0 || lost > MetricsCounter::kMaxLostWork)
      return "the lost work of " + quote(queue) + " is out of range";
  }
  return {};
}

}  // namespace cede
