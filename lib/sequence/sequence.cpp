// SPDX-License-Identifier: MIT
#include "sequence/sequence.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/text.h"
#include "sequence/step_run.h"

namespace cede {

template class Undo<Sequence>;

namespace {

std::string entry_name(EntryId id) { return "entry " + std::to_string(id); }

std::string state_of(const Entry& entry) {
  return entry_name(entry.id) + " is " + std::string(to_word(entry.clock.state, kEntryStates));
}

Time time_in(const CowMap<std::string, Time>& times, std::string_view name) {
  const Time* found = times.find(name);
  return found ? *found : kNoTime;
}

}  // namespace

// What in the ledger conflicts with an order. `own` is the entry that the order extends.
std::string Sequence::conflict(const CommitOrder& order, EntryId own) const {
  const bool of_job = order.requester.kind == RequesterKind::job;
  const EntryId live = of_job ? ledger_.of_requester(order.requester.name) : kNoEntry;
  if (live != own && live != kNoEntry) {
    return "job " + quote(order.requester.name) + " has " + entry_name(live) + " in progress";
  }
  for (std::size_t i = 0; i < order.victims.size(); ++i) {
    const VictimOrder& victim = order.victims[i];
    const auto where = [&] { return "victims[" + std::to_string(i) + "]: "; };
    if (victim.hold != kNoEntry) {
      const Entry* taken = ledger_.find(victim.hold);
      if (!taken || !is_live(taken->clock.state) || victim.hold == own) {
        return where() + entry_name(victim.hold) + " has no hold to take";
      }
      if (taken->clock.state == EntryState::ready) return where() + state_of(*taken) + "; its hold stays";
      if (!taken->has_hold()) return where() + entry_name(victim.hold) + " has no hold to take";
      continue;
    }
    if (of_job && victim.job == order.requester.name) {
      return where() + "job " + quote(victim.job) + " would give way to itself";
    }
    for (const Place& task : victim.tasks) {
      if (const EntryId holder = ledger_.holder_of(victim.job, task.task); holder != kNoEntry) {
        return where() + "task " + quote(task.task) + " of job " + quote(victim.job) + " is held by " +
               entry_name(holder);
      }
    }
  }
  return {};
}

// What in the ledger conflicts with the borrowed room of an order.
std::string Sequence::borrowed_room_conflict(const CommitOrder& order, EntryId own) const {
  for (std::size_t i = 0; i < order.borrowed_rooms.size(); ++i) {
    const BorrowedRoom& borrowed_room = order.borrowed_rooms[i];
    const auto where = [&] { return "borrowed[" + std::to_string(i) + "]: "; };
    if (borrowed_room.from == own || !ledger_.find(borrowed_room.from))
      return where() + entry_name(borrowed_room.from) + " has nothing to lend";
    for (const AwaitedVictim& victim : borrowed_room.victims) {
      if (ledger_.is_of_victim(victim.job, victim.task)) continue;
      return where() + "task " + quote(victim.task) + " of job " + quote(victim.job) +
             " is no entry's victim";
    }
  }
  return {};
}

EntryId Sequence::commit(CommitOrder order, Time now, std::string& why, const ClusterCheck* cluster) {
  why = order_fault(order);
  if (why.empty()) why = conflict(order, kNoEntry);
  if (why.empty()) why = borrowed_room_conflict(order, kNoEntry);
  if (!why.empty()) return kNoEntry;
  advance_to(now);
  Entry entry;
  entry.id = ++last_entry_;
  entry.committed = now_;
  entry.borrowed_rooms = std::exchange(order.borrowed_rooms, {});
  entry.beside = std::exchange(order.beside, {});
  entry.orders.push_back(std::make_shared<const CommitOrder>(settled(std::move(order))));
  entry.add_victims(0);
  take_holds(entry, *entry.orders[0]);
  entry.set_deadline();
  count(*entry.orders[0]);
  ledger_.add(std::move(entry));
  StepRun(*this, now_, cluster).planned(ledger_.edit(last_entry_));
  ledger_.end_of_addition();
  return last_entry_;
}

bool Sequence::extend(EntryId id, CommitOrder order, Time now, std::string& why,
                      const ClusterCheck* cluster) {
  const Entry* known = ledger_.find(id);
  if (!known) {
    why = entry_name(id) + " is not in the ledger";
  } else if (known->clock.state != EntryState::short_of_space) {
    why = state_of(*known) + "; only a short one is planned anew";
  } else if (known->requester() != order.requester) {
    why = entry_name(id) + " is for " + quote(known->requester().name) + ", not for " +
          quote(order.requester.name);
  } else {
    why = order_fault(order);
    if (why.empty()) why = conflict(order, id);
    if (why.empty()) why = borrowed_room_conflict(order, id);
  }
  if (!why.empty()) return false;
  advance_to(now);
  StepRun step_run(*this, now_, cluster);
  Entry entry = *known;
  const std::size_t victims = entry.victims.size();
  for (Victim& victim : entry.victims) {
    if (victim.state.phase == VictimPhase::stuck) victim.needed = false;
  }
  entry.borrowed_rooms = std::exchange(order.borrowed_rooms, {});  // replaces the room of the old placement
  entry.beside = std::exchange(order.beside, {});
  entry.placed_by = static_cast<std::uint32_t>(entry.orders.size());
  entry.orders.push_back(std::make_shared<const CommitOrder>(settled(std::move(order))));
  entry.add_victims(entry.placed_by);
  take_holds(entry, *entry.orders[entry.placed_by]);
  entry.take_back_lent(victims);
  entry.hold_taken = false;
  entry.space_lost = false;
  entry.lost_nodes.clear();
  step_run.close(entry.release);  // for the hold it had lost; now it has one again
  entry.clock.state = EntryState::waiting;
  entry.set_deadline();
  count(*entry.orders[entry.placed_by]);
  ledger_.put(std::move(entry));
  step_run.planned(ledger_.edit(id));
  return true;
}

// The leaving victims of a hold move to the entry that takes the hold, and so does its borrowed room. The
// entry that loses the hold becomes short.
void Sequence::take_holds(Entry& entry, const CommitOrder& order) {
  for (const VictimOrder& victim : order.victims) {
    if (victim.hold == kNoEntry) continue;
    Entry taken = *ledger_.find(victim.hold);
    for (const Victim& each : taken.victims) {
      if (each.needed && !each.state.finished()) entry.adopt(taken, each);
    }
    move_borrowed_rooms(taken, entry);
    std::erase_if(taken.victims, [](const Victim& v) { return v.needed && !v.state.finished(); });
    StepRun(*this, now_).lose_hold(taken);
    taken.set_deadline();
    ledger_.put(std::move(taken));
  }
  // Drops room that was borrowed from a hold that is also taken.
  std::erase_if(entry.borrowed_rooms,
                [&](const BorrowedRoom& borrowed_room) { return borrowed_room.from == entry.id; });
}

// The entry that takes over victims becomes the lender of their borrowed room.
void Sequence::move_borrowed_rooms(Entry& from, Entry& to) {
  to.borrowed_rooms.insert(to.borrowed_rooms.end(), from.borrowed_rooms.begin(), from.borrowed_rooms.end());
  from.borrowed_rooms.clear();
  const auto redirect = [&](std::vector<BorrowedRoom>& borrowed_rooms) {
    for (BorrowedRoom& borrowed_room : borrowed_rooms) {
      if (borrowed_room.from == from.id && borrowed_room.is_pending()) borrowed_room.from = to.id;
    }
  };
  redirect(to.borrowed_rooms);
  std::set<EntryId> borrowers;
  for (const Victim& victim : from.victims) {
    const std::vector<EntryId> ids = ledger_.waiting_for(from.order_of(victim).job);
    borrowers.insert(ids.begin(), ids.end());
  }
  borrowers.erase(from.id);
  borrowers.erase(to.id);
  for (const EntryId id : borrowers) redirect(ledger_.edit(id).borrowed_rooms);
}

// Counts a commit: attempts, budgets and plan metrics.
void Sequence::count(const CommitOrder& order) {
  const bool of_job = order.requester.kind == RequesterKind::job;
  count_plan(of_job ? order.requester.name : std::string_view(), order.profile, order.outcome,
             order.plan_micros);
  bool preempts = false;
  const std::string* last = nullptr;
  const auto preempted_on = [&](const Place& place) {
    if (!last || *last != place.node) node_commits_.edit(place.node) = now_;
    last = &place.node;
  };
  for (const VictimOrder& victim : order.victims) {
    if (victim.hold != kNoEntry) continue;
    preempts = true;
    storm_.add(StormScope::queue, victim.queue, now_, victim.units, storm_length_);
    if (!victim.user.empty()) storm_.add(StormScope::user, victim.user, now_, victim.units, storm_length_);
    storm_.add(StormScope::group, order.group, now_, victim.lost_work, storm_length_);
    for (const Place& task : victim.tasks) preempted_on(task);
  }
  if (!preempts) return;
  for (const Place& place : order.placement) preempted_on(place);
}

bool Sequence::cancel(EntryId id, Time now, std::string& why) {
  const Entry* known = ledger_.find(id);
  why = !known                         ? entry_name(id) + " is not in the ledger"
        : !is_live(known->clock.state) ? state_of(*known) + " already"
                                       : std::string();
  return why.empty() && end_early(id, EntryState::cancelled, advance_to(now));
}

bool Sequence::give_up(EntryId id, Time now, std::string& why) {
  const Entry* known = ledger_.find(id);
  why = !known ? entry_name(id) + " is not in the ledger"
        : known->clock.state != EntryState::short_of_space
            ? state_of(*known) + "; only a short one is given up"
            : std::string();
  return why.empty() && end_early(id, EntryState::failed, advance_to(now));
}

bool Sequence::end_early(EntryId id, EntryState how, Time now) {
  StepRun step_run(*this, now);
  step_run.end_entry(ledger_.edit(id), how);
  step_run.pass_on();
  step_run.apply_notices();
  ledger_.set_due(id, Ledger::kAtOnce);
  return true;
}

void Sequence::note(const PlanNote& note, Time now) {
  advance_to(now);
  count_plan(note.requester, note.profile, note.outcome, note.plan_micros);
}

void Sequence::count_plan(std::string_view requester, std::string_view profile, Outcome outcome,
                          std::int64_t micros) {
  tally_.planned(profile, to_word(outcome, kOutcomes), micros);
  if (!requester.empty()) attempts_.edit(requester) = now_;
}

void Sequence::jobs_gone(std::span<const std::string> jobs) {
  for (const std::string& job : jobs) {
    attempts_.erase(job);
    starving_.erase(job);
    vanished_.add(VanishedNames::Kind::job, job);
    if (ledger_.victims_of(job).empty() && ledger_.of_requester(job) == kNoEntry) continue;
    keep_for_next_step({.kind = EventKind::gone, .job = job});
  }
}

void Sequence::removed(const RemovedNames& names) {
  for (const std::string& job : names.jobs) vanished_.add(VanishedNames::Kind::job, job);
  for (const std::string& node : names.nodes) vanished_.add(VanishedNames::Kind::node, node);
  if (names.more) vanished_.add_unlisted();
}

// Once: every change of the cluster reports again what is gone.
void Sequence::keep_for_next_step(Event event) {
  const bool known = std::any_of(inbox_.begin(), inbox_.end(), [&](const Event& each) {
    return each.kind == event.kind && each.job == event.job && each.node == event.node;
  });
  if (!known) inbox_.push_back(std::move(event));
}

namespace {

void forget(CowMap<std::string, Time>& times, const std::function<bool(std::string_view)>& gone) {
  std::vector<std::string> names;
  times.for_each([&](const std::string& name, Time) {
    if (gone(name)) names.push_back(name);
  });
  for (const std::string& name : names) times.erase(name);
}

}  // namespace

void Sequence::forget_jobs(const std::function<bool(std::string_view)>& gone) { forget(attempts_, gone); }
void Sequence::forget_nodes(const std::function<bool(std::string_view)>& gone) {
  forget(node_commits_, gone);
}

void Sequence::nodes_gone(std::span<const std::string> nodes) {
  for (const std::string& node : nodes) {
    node_commits_.erase(node);
    vanished_.add(VanishedNames::Kind::node, node);
    if (!ledger_.on_node(node).empty()) keep_for_next_step({.kind = EventKind::node_down, .node = node});
  }
}

// A change of the cluster is not a step: the deadlines of victims are not checked.
void Sequence::requesters_changed(std::span<const EntryId> entries, Time now) {
  for (const EntryId id : entries) {
    if (is_live(ledger_.find(id)->clock.state)) end_early(id, EntryState::cancelled, std::max(now_, now));
  }
}

void Sequence::lose_space(std::span<const EntryId> entries, Time now) {
  StepRun step_run(*this, std::max(now_, now));
  for (const EntryId id : entries) step_run.lose_space(ledger_.edit(id));
}

void Sequence::regain_space(std::span<const EntryId> entries) {
  for (const EntryId id : entries) {
    ledger_.edit(id).space_lost = false;
    ledger_.set_due(id, Ledger::kAtOnce);
    ++revision_;
  }
}

void Sequence::keep_beside(EntryId entry, std::vector<UnnamedRun> runs) {
  ledger_.edit(entry).beside = std::move(runs);
}

namespace {

bool is_about_a_job(EventKind kind) {
  return kind <= EventKind::exited || kind == EventKind::started || kind == EventKind::cancelled;
}

}  // namespace

bool Sequence::is_confirmed(const Event& event, const ClusterCheck* cluster) const {
  // The answer to an action may come after the event that made it unnecessary.
  if (event.kind == EventKind::action_done) return event.action != kNoAction && event.action <= last_action_;
  const bool of_node = event.kind == EventKind::node_down || event.kind == EventKind::node_up;
  const bool vanished = of_node ? vanished_.has(VanishedNames::Kind::node, event.node)
                                : vanished_.has(VanishedNames::Kind::job, event.job);
  if (cluster) return cluster->confirms(event, vanished);
  switch (event.kind) {
    case EventKind::released:
    case EventKind::exited:
    case EventKind::cancelled:
    case EventKind::node_down: return vanished;
    default: return false;
  }
}

// Handles the changes of the model. Events about a job that is gone say how it left, so they are handled
// here, in their order. Otherwise a checkpoint or a cancellation reported in the same step would be lost.
std::vector<bool> Sequence::take_inbox(StepRun& step_run, std::span<const Event> events,
                                       std::vector<EventAnswer>& answers) {
  std::vector<bool> handled(events.size(), false);
  if (inbox_.empty()) return handled;
  std::map<std::string_view, std::vector<std::size_t>> by_job;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (is_about_a_job(events[i].kind)) by_job[events[i].job].push_back(i);
  }
  for (const Event& event : std::exchange(inbox_, {})) {
    const auto given = event.kind == EventKind::gone ? by_job.find(event.job) : by_job.end();
    if (given != by_job.end()) {
      for (const std::size_t i : std::exchange(given->second, {})) {
        if (step_run.take_of_cluster(events[i])) answers[i] = EventAnswer::taken;
        handled[i] = true;
      }
    }
    step_run.take_of_cluster(event);
  }
  return handled;
}

StepResult Sequence::step(Time now, std::span<const Event> events, const Found& found,
                          const ClusterCheck* cluster) {
  StepResult result;
  result.now = advance_to(now);
  StepRun step_run(*this, now_, cluster);
  result.answers.assign(events.size(), EventAnswer::ignored);
  const std::vector<bool> handled = take_inbox(step_run, events, result.answers);
  for (const Event& event : found.before) step_run.take(event);
  std::uint64_t ignored = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    EventAnswer& answer = result.answers[i];
    if (!handled[i] && step_run.take(events[i])) answer = EventAnswer::taken;
    if (answer == EventAnswer::ignored && is_confirmed(events[i], cluster)) answer = EventAnswer::taken;
    if (answer == EventAnswer::ignored) ++ignored;
  }
  for (const Event& event : found.after) step_run.take(event);
  vanished_.step_ended();
  tally_.ignored(ignored);
  step_run.pass_on();
  std::vector<EntryId> busy = step_run.touched();
  busy.insert(busy.end(), found.entries.begin(), found.entries.end());
  for (auto due = ledger_.first_due(); due && due->due <= now_; due = ledger_.first_due()) {
    ledger_.set_due(due->entry, kNoTime);
    busy.push_back(due->entry);
  }
  std::sort(busy.begin(), busy.end());
  busy.erase(std::unique(busy.begin(), busy.end()), busy.end());
  for (const EntryId id : busy) {
    step_run.settle(id);
    step_run.pass_on();
  }
  // Entries that were notified after they were settled.
  while (!step_run.unsettled().empty()) {
    step_run.settle(*step_run.unsettled().begin());
    step_run.pass_on();
  }
  result.actions = std::move(step_run.actions());
  const auto sooner = [](const Action& a, const Action& b) { return a.id < b.id; };
  if (!std::is_sorted(result.actions.begin(), result.actions.end(), sooner))
    std::sort(result.actions.begin(), result.actions.end(), sooner);
  return result;
}

Time Sequence::next_due() const {
  if (!inbox_.empty()) return Ledger::kAtOnce;
  const auto first = ledger_.first_due();
  return first ? first->due : kNoTime;
}

Time Sequence::advance_to(Time now) {
  now_ = std::max(now_, std::clamp(now, -kMaxTime, kMaxTime));
  return now_;
}

std::vector<Sequence::Hold> Sequence::holds() const {
  std::vector<Hold> holds;
  for (const EntryId id : ledger_.ids()) {
    const Entry& entry = *ledger_.find(id);
    if (!is_live(entry.clock.state) || !entry.has_hold()) continue;
    Hold hold{id, entry.clock.state, &entry.order(), entry.placement(), {}};
    for (const Victim& victim : entry.victims) {
      const VictimOrder& order = entry.order_of(victim);
      for (std::size_t i = 0; victim.needed && i < order.tasks.size(); ++i) {
        if (is_gone(entry.tasks[victim.first_task + i])) hold.freed.push_back(&order.tasks[i]);
      }
    }
    holds.push_back(std::move(hold));
  }
  return holds;
}

Time Sequence::last_attempt_of(std::string_view job) const { return time_in(attempts_, job); }

void Sequence::set_starving_since(std::string_view job, Time since) {
  if (since == kNoTime) {
    starving_.erase(job);
  } else {
    starving_.edit(job) = since;
  }
}

void Sequence::set_overcommitted_since(std::string_view node, Time since) {
  if (since == kNoTime) {
    overcommitted_.erase(node);
  } else {
    overcommitted_.edit(node) = since;
  }
}

Metrics Sequence::metrics() const {
  Metrics metrics = tally_.metrics();
  for (const EntryId id : ledger_.ids()) {
    const Entry& entry = *ledger_.find(id);
    if (is_live(entry.clock.state) && entry.has_hold()) ++metrics.holds;
    for (const Victim& victim : entry.victims) {
      if (!victim.state.finished()) ++metrics.in_flight;
    }
  }
  return metrics;
}

}  // namespace cede
