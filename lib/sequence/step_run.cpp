// SPDX-License-Identifier: MIT
#include "sequence/step_run.h"

#include <algorithm>

namespace cede {

namespace {

ActionKind kind_of(VictimStep step) {
  switch (step) {
    case VictimStep::hint: return ActionKind::checkpoint_hint;
    case VictimStep::mark: return ActionKind::mark;
    case VictimStep::suspend: return ActionKind::suspend;
    case VictimStep::terminate: return ActionKind::terminate;
    case VictimStep::unhint: return ActionKind::cancel_hint;
    default: return ActionKind::signal;
  }
}

Signal signal_of(VictimPhase phase) {
  switch (phase) {
    case VictimPhase::signalled: return Signal::interrupt;
    case VictimPhase::terminating: return Signal::term;
    case VictimPhase::killing: return Signal::kill;
    default: return Signal::none;
  }
}

VictimStep step_in(VictimPhase phase) {
  switch (phase) {
    case VictimPhase::checkpointing: return VictimStep::hint;
    case VictimPhase::marked: return VictimStep::mark;
    case VictimPhase::stopping: return VictimStep::suspend;
    case VictimPhase::removing: return VictimStep::terminate;
    default: return VictimStep::term;
  }
}

}  // namespace

void StepRun::act(Entry& entry, std::uint32_t index, VictimStep step) {
  if (step == VictimStep::none) return;
  Victim& victim = entry.victims[index];
  if (step == VictimStep::unhint) {
    open(entry, victim.pending_action, ActionKind::cancel_hint, index);
    return;
  }
  victim.action = ++sequence_.last_action_;
  victim.listed = true;
  sequence_.ledger_.open(victim.action, {entry.id, index});
  made_.push_back({victim.action, entry.id, index});
  actions_.push_back(victim_action(entry, victim, kind_of(step)));
  actions_.back().id = victim.action;
}

void StepRun::finish(Entry& entry, std::uint32_t index) {
  Victim& victim = entry.victims[index];
  // An earlier event of the step may have led to an action. It must not reach a new run of the job.
  std::erase_if(actions_, [&](const Action& action) {
    return std::find(made_.begin(), made_.end(), MadeAction{action.id, entry.id, index}) != made_.end();
  });
  const VictimOrder& order = entry.order_of(victim);
  sequence_.ledger_.forget_victim(order.job, {entry.id, index});
  if (victim.state.phase != VictimPhase::released) return;  // it runs on
  if (victim.state.preempted())
    sequence_.tally_.preempted(order.queue, entry.orders[victim.order]->cause, order.units, order.lost_work);
  const bool again = waits_again(order.terms, victim.state);
  if (again) sequence_.tally_.requeued();
  open(entry, victim.pending_action, again ? ActionKind::requeue : ActionKind::gone, index);
}

void StepRun::let_go(Entry& entry, std::uint32_t index) {
  change(entry, index, [](const VictimTerms&, VictimState& victim) { return cede::let_go(victim); });
}

void StepRun::follow(Entry& entry, EntryStep step) {
  const EntryState state = entry.clock.state;
  if (state != EntryState::short_of_space && entry.notice.kind == ActionKind::replan) close(entry.notice);
  switch (step) {
    case EntryStep::none: break;
    case EntryStep::start: open(entry, entry.notice, ActionKind::start, ActionOwner::kEntry); break;
    case EntryStep::announce: open(entry, entry.notice, ActionKind::claim_ready, ActionOwner::kEntry); break;
    case EntryStep::replan: open(entry, entry.notice, ActionKind::replan, ActionOwner::kEntry); break;
    case EntryStep::release:
      open(entry, entry.release, ActionKind::release_hold, ActionOwner::kEntry);
      if (state == EntryState::expired) sequence_.tally_.hold_expired();
      if (state == EntryState::started)
        used_up_.insert(used_up_.end(), entry.borrowed_rooms.begin(), entry.borrowed_rooms.end());
      break;
  }
  if (is_live(state)) return;
  for (std::uint32_t i = 0; i < entry.victims.size(); ++i) let_go(entry, i);
  ++sequence_.stays_;
  if (std::any_of(entry.victims.begin(), entry.victims.end(),
                  [](const Victim& victim) { return !victim.state.finished(); }))
    ++sequence_.left_behind_;
  close(entry.notice);
  sequence_.ledger_.forget_requester(entry);
}

void StepRun::tell(const Entry& entry, const Victim& victim) {
  const AwaitedState state = victim.state.phase == VictimPhase::released ? AwaitedState::gone
                             : victim.state.phase == VictimPhase::stuck  ? AwaitedState::stuck
                                                                         : AwaitedState::staying;
  notices_.push_back({entry.orders[victim.order], victim.index, state});
}

void StepRun::pass_on() {
  Ledger& ledger = sequence_.ledger_;
  for (const Notice& notice : notices_) {
    const VictimOrder& victim = notice.order->victims[notice.victim];
    for (const EntryId id : ledger.waiting_for(victim.job)) {
      if (!is_live(ledger.find(id)->clock.state) || !ledger.edit(id).heard_of(victim, notice.state)) continue;
      ++sequence_.revision_;
      ledger.set_due(id, Ledger::kAtOnce);
      unsettled_.insert(id);
    }
  }
  notices_.clear();
  for (const BorrowedRoom& borrowed_room : used_up_) {
    if (!ledger.find(borrowed_room.from)) continue;
    std::vector<Place>& lent = ledger.edit(borrowed_room.from).lent;
    lent.insert(lent.end(), borrowed_room.room.begin(), borrowed_room.room.end());
  }
  used_up_.clear();
}

void StepRun::apply_notices() {
  Ledger& ledger = sequence_.ledger_;
  for (const EntryId id : unsettled_) {
    Entry& entry = ledger.edit(id);
    const EntryNeeds needs = entry.needs();
    const bool is_late = entry.clock.deadline != kNoTime && entry.clock.deadline <= now_;
    if (needs.short_of_space && !is_late) follow(entry, advance(entry.terms(), entry.clock, needs, now_));
  }
}

void StepRun::planned(Entry& entry) {
  ++sequence_.revision_;
  const EntryNeeds needs = needs_of(entry);
  follow(entry, needs.pending ? EntryStep::none : advance(entry.terms(), entry.clock, needs, now_));
}

void StepRun::lose_hold(Entry& entry) {
  ++sequence_.revision_;
  entry.hold_taken = true;
  entry.space_lost = false;
  entry.clock.state = EntryState::short_of_space;
  follow(entry, EntryStep::replan);
  open(entry, entry.release, ActionKind::release_hold, ActionOwner::kEntry);
}

void StepRun::lose_space(Entry& entry) {
  ++sequence_.revision_;
  entry.space_lost = true;
  sequence_.ledger_.set_due(entry.id, Ledger::kAtOnce);
  follow(entry, advance(entry.terms(), entry.clock, entry.needs(), now_));
}

// If the entry waits for no more victims, its space must really be free. So it must be when the start action
// is sent, which may be later, or once more after a restore.
EntryNeeds StepRun::needs_of(const Entry& entry) const {
  EntryNeeds needs = entry.needs();
  const bool sends_start = entry.clock.state == EntryState::ready && entry.notice.open() &&
                           entry.notice.kind == ActionKind::start && entry.notice.sent == kNoTime;
  if (sends_start && cluster_ && !cluster_->has_room_now(entry)) needs.short_of_space = true;
  const bool may_begin = !needs.pending && !needs.short_of_space && is_live(entry.clock.state) &&
                         entry.clock.state != EntryState::ready && entry.has_hold();
  if (may_begin && cluster_ && !cluster_->has_room_now(entry)) needs.pending = true;
  return needs;
}

void StepRun::end_entry(Entry& entry, EntryState how) {
  ++sequence_.revision_;
  follow(entry, end(entry.terms(), entry.clock, how));
  for (std::uint32_t i = 0; i < entry.victims.size(); ++i) {
    change(entry, i, [](const VictimTerms&, VictimState& victim) { return spare(victim); });
  }
}

void StepRun::settle(EntryId id) {
  Ledger& ledger = sequence_.ledger_;
  unsettled_.erase(id);
  if (!ledger.find(id)) return;
  Entry& entry = ledger.edit(id);
  list_again(entry);
  for (std::uint32_t i = 0; i < entry.victims.size(); ++i) {
    if (entry.victims[i].state.phase == VictimPhase::planned) {
      change(entry, i, [&](const VictimTerms& t, VictimState& v) { return begin(t, v, now_); });
    }
    for (VictimPhase last = VictimPhase::planned; last != entry.victims[i].state.phase;) {
      last = entry.victims[i].state.phase;
      change(entry, i, [&](const VictimTerms& t, VictimState& v) { return tick(t, v, now_); });
    }
  }
  const EntryState before = entry.clock.state;
  const EntryStep step = advance(entry.terms(), entry.clock, needs_of(entry), now_);
  if (entry.clock.state != before) ++sequence_.revision_;
  follow(entry, step);
  list(entry, entry.notice, ActionOwner::kEntry);
  list(entry, entry.release, ActionOwner::kEntry);
  for (std::uint32_t i = 0; i < entry.victims.size(); ++i) list(entry, entry.victims[i].pending_action, i);
  if (entry.finished() && !(cluster_ && cluster_->shows_gone_tasks(entry))) {
    ledger.erase(id);
    return;
  }
  entry.remembered = entry.finished();
  ledger.set_due(id, next_due(entry));
}

// Replaces the pending action with a new one, which the next listing sends.
void StepRun::open(Entry& entry, PendingAction& pending_action, ActionKind kind, std::uint32_t owner) {
  close(pending_action);
  pending_action = {.kind = kind, .id = ++sequence_.last_action_};
  sequence_.ledger_.open(pending_action.id, {entry.id, owner});
}

void StepRun::close(PendingAction& pending_action) {
  if (pending_action.open()) sequence_.ledger_.close(pending_action.id);
  pending_action = PendingAction{.kind = pending_action.kind};
}

void StepRun::pending_action_failed(Entry& entry, PendingAction& pending_action, std::uint32_t owner) {
  const std::uint32_t failures = pending_action.failures + 1;
  if (pending_action.kind == ActionKind::start || failures > entry.order().max_action_retries) {
    close(pending_action);
    return;
  }
  open(entry, pending_action, pending_action.kind, owner);
  pending_action.failures = failures;
}

void StepRun::list(Entry& entry, PendingAction& pending_action, std::uint32_t owner) {
  if (!pending_action.open()) return;
  const bool after_leaving =
      pending_action.kind == ActionKind::requeue || pending_action.kind == ActionKind::gone;
  if (pending_action.was_listed && after_leaving && cluster_ &&
      cluster_->runs_again(entry, entry.victims[owner])) {
    close(pending_action);
    return;
  }
  if (pending_action.sent != kNoTime) {
    const bool overdue = pending_action.kind != ActionKind::start &&
                         pending_action.sent + entry.order().action_timeout <= now_;
    if (!overdue) return;
    pending_action_failed(entry, pending_action, owner);
    if (!pending_action.open()) return;
  }
  pending_action.sent = now_;
  pending_action.was_listed = true;
  actions_.push_back(owner == ActionOwner::kEntry
                         ? entry_action(entry, pending_action.kind)
                         : victim_action(entry, entry.victims[owner], pending_action.kind));
  actions_.back().id = pending_action.id;
}

// After a restore it is unknown whether a victim's action was done.
void StepRun::list_again(Entry& entry) {
  for (Victim& victim : entry.victims) {
    if (victim.listed) continue;
    victim.listed = true;
    if (victim.action == kNoAction) continue;
    sent_again(entry.order_of(victim).terms, victim.state, now_);
    actions_.push_back(victim_action(entry, victim, kind_of(step_in(victim.state.phase))));
    actions_.back().id = victim.action;
  }
}

Action StepRun::victim_action(const Entry& entry, const Victim& victim, ActionKind kind) const {
  const VictimOrder& order = entry.order_of(victim);
  Action action = entry_action(entry, kind);
  action.job = order.job;
  action.deadline = victim.state.deadline;
  action.signal = kind == ActionKind::signal ? signal_of(victim.state.phase) : Signal::none;
  action.keep_local = order.terms.keep_local;
  if (kind == ActionKind::checkpoint_hint) action.via = order.via;
  const bool has_left = kind == ActionKind::requeue || kind == ActionKind::gone;
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    if (!has_left && is_gone(entry.tasks[victim.first_task + i])) continue;
    action.tasks.push_back(order.tasks[i].task);
    action.nodes.push_back(order.tasks[i].node);
  }
  const bool lost = victim.state.exit_result == ExitResult::lost;
  if (has_left) action.how = lost && victim.state.saved ? ExitResult::saved : victim.state.exit_result;
  if (kind != ActionKind::requeue) return action;
  action.resume = resumes(order.terms, victim.state);
  action.keep_local = victim.state.kept_local;
  action.waits_for_owner = order.waits_for_owner;
  action.submitted = order.submitted;
  action.waiting_since = victim.state.released;
  action.preempted_count = order.preempted_count + 1;
  return action;
}

Action StepRun::entry_action(const Entry& entry, ActionKind kind) const {
  const CommitOrder& order = *entry.orders[entry.placed_by];
  Action action;
  action.kind = kind;
  action.entry = entry.id;
  action.requester = entry.requester().kind;
  action.preemptor = entry.requester().name;
  action.cause = order.cause;
  action.plan = order.plan;
  action.revision = order.revision;
  if (kind == ActionKind::start) {
    action.job = entry.requester().name;
    action.deadline = entry.clock.ready_at + entry.order().hold_timeout;
  }
  if (kind == ActionKind::replan) action.deadline = entry.clock.deadline;
  if (kind == ActionKind::start || kind == ActionKind::claim_ready || kind == ActionKind::release_hold) {
    action.placement = order.placement;
  }
  return action;
}

}  // namespace cede
