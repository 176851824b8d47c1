// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "sequence/step_run.h"

namespace cede {

namespace {

// How the tasks of a victim left.
ExitCause exit_cause_of(EventKind kind) {
  switch (kind) {
    case EventKind::released: return ExitCause::released;
    case EventKind::cancelled: return ExitCause::cancelled;
    case EventKind::node_down: return ExitCause::node_lost;
    default: return ExitCause::exited;
  }
}

bool ends_job(EventKind kind) {
  return kind == EventKind::exited || kind == EventKind::cancelled || kind == EventKind::gone;
}

}  // namespace

bool StepRun::take(const Event& event) {
  switch (event.kind) {
    case EventKind::checkpoint_progress:
    case EventKind::checkpoint_done:
    case EventKind::checkpoint_failed:
    case EventKind::defer:
    case EventKind::released: return take_of_victims(event);
    case EventKind::exited:
    case EventKind::cancelled:
    case EventKind::gone: {
      // A job may have some tasks as victims and wait with others.
      const bool as_victim = take_of_victims(event);
      return take_of_requester(event) || as_victim;
    }
    case EventKind::started: return take_of_requester(event);
    case EventKind::claim_done: return take_of_claim(event);
    case EventKind::node_down:
    case EventKind::node_up: return take_of_node(event);
    case EventKind::action_done:
    case EventKind::action_failed: return take_of_action(event);
  }
  return false;
}

bool StepRun::take_of_victims(const Event& event) {
  const std::span<const VictimRef> known = sequence_.ledger_.victims_of(event.job);
  const std::vector<VictimRef> refs(known.begin(), known.end());  // a copy: finished victims leave the index
  bool taken = false;
  for (const VictimRef& ref : refs) taken = take_of_victim(event, ref) || taken;
  return taken;
}

bool StepRun::take_of_victim(const Event& event, VictimRef ref) {
  const Entry& known = *sequence_.ledger_.find(ref.entry);
  const VictimOrder& order = known.order_of(known.victims[ref.victim]);
  const bool whole = event.task.empty() || ends_job(event.kind);
  if (!whole && task_index(order, event.task) == order.tasks.size()) return false;
  Entry& entry = sequence_.ledger_.edit(ref.entry);
  Victim& victim = entry.victims[ref.victim];
  bool taken = victim.state.phase == VictimPhase::checkpointing;
  switch (event.kind) {
    case EventKind::checkpoint_progress:
      change(entry, ref.victim, [&](const VictimTerms&, VictimState& v) {
        made_progress(v);
        return VictimStep::none;
      });
      break;
    case EventKind::defer:
      change(entry, ref.victim, [&](const VictimTerms& terms, VictimState& v) {
        asked_to_defer(terms, v, now_, event.length);
        return VictimStep::none;
      });
      break;
    case EventKind::checkpoint_done:
      if (taken) taken = mark_done(entry, ref.victim, whole ? std::string_view() : event.task);
      break;
    case EventKind::checkpoint_failed:
      change(entry, ref.victim,
             [&](const VictimTerms& terms, VictimState& v) { return failed_to_save(terms, v, now_); });
      break;
    default:
      taken =
          leave(entry, ref.victim, exit_cause_of(event.kind), whole ? std::string_view() : event.task, {});
  }
  if (taken) touched_.push_back(ref.entry);
  return taken;
}

bool StepRun::mark_done(Entry& entry, std::uint32_t index, std::string_view task) {
  const Victim& victim = entry.victims[index];
  const VictimOrder& order = entry.order_of(victim);
  std::uint32_t done = 0;
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    TaskProgress& mark = entry.tasks[victim.first_task + i];
    if (mark != TaskProgress::none || (!task.empty() && order.tasks[i].task != task)) continue;
    mark = with_done(mark);
    ++done;
  }
  if (done == 0) return false;
  change(entry, index,
         [&](const VictimTerms& terms, VictimState& v) { return said_done(terms, v, now_, done); });
  return true;
}

// Marks the tasks with that label, or on that node, or all tasks as gone.
bool StepRun::leave(Entry& entry, std::uint32_t index, ExitCause cause, std::string_view task,
                    std::string_view node) {
  const Victim& victim = entry.victims[index];
  const VictimOrder& order = entry.order_of(victim);
  std::uint32_t gone = 0;
  std::uint32_t unsaved = 0;
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    TaskProgress& mark = entry.tasks[victim.first_task + i];
    const Place& place = order.tasks[i];
    if (is_gone(mark) || (!task.empty() && place.task != task) || (!node.empty() && place.node != node))
      continue;
    ++gone;
    if (!is_done(mark)) ++unsaved;
    mark = with_gone(mark);
    // A lost node may come back with the task still on it.
    entry.exit_stamps[victim.first_task + i] = {last_edit_, cause == ExitCause::node_lost};
  }
  if (gone == 0) return false;
  change(entry, index, [&](const VictimTerms& terms, VictimState& v) {
    return left(terms, v, now_, cause, gone, unsaved);
  });
  return true;
}

bool StepRun::take_of_requester(const Event& event) {
  if (ends_job(event.kind)) sequence_.attempts_.erase(event.job);
  const EntryId id = sequence_.ledger_.of_requester(event.job);
  if (id == kNoEntry) return false;
  Entry& entry = sequence_.ledger_.edit(id);
  const bool has_run = event.kind == EventKind::started || event.kind == EventKind::exited;
  const bool as_planned = has_run && entry.clock.state == EntryState::ready;
  end_entry(entry, as_planned ? EntryState::started : EntryState::cancelled);
  touched_.push_back(id);
  return true;
}

bool StepRun::take_of_claim(const Event& event) {
  const Entry* known = sequence_.ledger_.find(event.entry);
  if (!known || known->requester().kind != RequesterKind::claim || !is_live(known->clock.state)) return false;
  Entry& entry = sequence_.ledger_.edit(event.entry);
  const bool as_planned = entry.clock.state == EntryState::ready;
  end_entry(entry, as_planned ? EntryState::started : EntryState::cancelled);
  touched_.push_back(event.entry);
  return true;
}

bool StepRun::take_of_cluster(const Event& event) {
  // An object that was gone from the model and is there again was put since, so any edit is later.
  const std::uint32_t last_edit = std::exchange(last_edit_, 0);
  bool any = event.kind != EventKind::node_down && take(event);
  if (event.kind == EventKind::node_down) {
    for (const EntryId id : sequence_.ledger_.on_node(event.node)) {
      if (!lose_victims_on(sequence_.ledger_.edit(id), event.node)) continue;
      touched_.push_back(id);
      any = true;
    }
  }
  last_edit_ = last_edit;
  return any;
}

bool StepRun::lose_victims_on(Entry& entry, std::string_view node) {
  bool any = false;
  for (std::uint32_t i = 0; i < entry.victims.size(); ++i) {
    if (!entry.victims[i].state.finished()) any = leave(entry, i, ExitCause::node_lost, {}, node) || any;
  }
  return any;
}

bool StepRun::take_of_node(const Event& event) {
  bool any = false;
  for (const EntryId id : sequence_.ledger_.on_node(event.node)) {
    Entry& entry = sequence_.ledger_.edit(id);
    bool taken = event.kind == EventKind::node_down && lose_victims_on(entry, event.node);
    taken = place_changed(entry, event) || taken;
    if (taken) touched_.push_back(id);
    any = any || taken;
  }
  return any;
}

// Handles a node of the placement of an entry that has not started.
bool StepRun::place_changed(Entry& entry, const Event& event) {
  if (!is_live(entry.clock.state) || !entry.has_hold()) return false;
  const auto known = std::find(entry.lost_nodes.begin(), entry.lost_nodes.end(), event.node);
  const bool was_lost = known != entry.lost_nodes.end();
  if (was_lost == (event.kind == EventKind::node_down)) return false;
  if (was_lost) {
    entry.lost_nodes.erase(known);
    ++sequence_.revision_;
    return true;
  }
  const std::vector<Place>& places = entry.placement();
  const bool used =
      std::any_of(places.begin(), places.end(), [&](const Place& place) { return place.node == event.node; });
  if (!used) return false;
  entry.lost_nodes.push_back(event.node);
  ++sequence_.revision_;
  return true;
}

bool StepRun::take_of_action(const Event& event) {
  const std::optional<ActionOwner> owner = sequence_.ledger_.owner_of(event.action);
  // An answer to an action that the manager has not seen is about some other number.
  if (!owner || event.action > last_sent_) return false;
  Entry& entry = sequence_.ledger_.edit(owner->entry);
  const bool done = event.kind == EventKind::action_done;
  if (owner->victim != ActionOwner::kEntry && entry.victims[owner->victim].action == event.action) {
    change(entry, owner->victim, [&](const VictimTerms& terms, VictimState& v) {
      if (!done) return action_failed(terms, v, now_);
      action_done(v);
      return VictimStep::none;
    });
    touched_.push_back(entry.id);
    return true;
  }
  PendingAction& pending_action = owner->victim != ActionOwner::kEntry
                                      ? entry.victims[owner->victim].pending_action
                                  : entry.notice.id == event.action ? entry.notice
                                                                    : entry.release;
  if (!pending_action.was_listed) return false;
  touched_.push_back(entry.id);
  if (done) {
    close(pending_action);
  } else {
    pending_action_failed(entry, pending_action, owner->victim);
  }
  return true;
}

}  // namespace cede
