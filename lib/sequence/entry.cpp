// SPDX-License-Identifier: MIT
#include "sequence/entry.h"

#include <algorithm>

namespace cede {

namespace {

Time sooner(Time a, Time b) {
  if (a == kNoTime || b == kNoTime) return std::max(a, b);
  return std::min(a, b);
}

EntryStep become_ready(const EntryTerms& terms, EntryClock& entry, Time now) {
  entry.ready_at = now;
  entry.state = EntryState::ready;
  switch (terms.requester) {
    case RequesterKind::job: return EntryStep::start;
    case RequesterKind::claim: return EntryStep::announce;
    case RequesterKind::relief: break;
  }
  entry.state = EntryState::started;
  return EntryStep::none;
}

Time pending_action_due(const PendingAction& pending_action, Duration action_timeout) {
  if (!pending_action.open() || pending_action.sent == kNoTime || pending_action.kind == ActionKind::start)
    return kNoTime;
  return pending_action.sent + action_timeout;
}

}  // namespace

EntryStep advance(const EntryTerms& terms, EntryClock& entry, EntryNeeds needs, Time now) {
  if (!is_live(entry.state)) return EntryStep::none;
  if (entry.state == EntryState::ready) {
    const Time due = next_due(terms, entry);
    if (due != kNoTime && due <= now) return end(terms, entry, EntryState::expired);
    if (!needs.short_of_space) return EntryStep::none;
    entry.deadline = std::max(entry.deadline, now + terms.hold_timeout);
    entry.ready_at = kNoTime;
  }
  if (!needs.pending && !needs.short_of_space) return become_ready(terms, entry, now);
  if (entry.deadline == kNoTime && !needs.may_last) entry.deadline = now + terms.entry_timeout;
  if (entry.deadline != kNoTime && entry.deadline <= now) return end(terms, entry, EntryState::failed);
  const bool was_short = entry.state == EntryState::short_of_space;
  entry.state = needs.short_of_space ? EntryState::short_of_space : EntryState::waiting;
  return needs.short_of_space && !was_short ? EntryStep::replan : EntryStep::none;
}

EntryStep end(const EntryTerms& terms, EntryClock& entry, EntryState how) {
  entry.state = how;
  return terms.has_hold ? EntryStep::release : EntryStep::none;
}

Time next_due(const EntryTerms& terms, const EntryClock& entry) {
  if (!is_live(entry.state)) return kNoTime;
  if (entry.state != EntryState::ready) return entry.deadline;
  return terms.requester == RequesterKind::claim ? kNoTime : entry.ready_at + terms.hold_timeout;
}

bool Entry::finished() const {
  return !is_live(clock.state) && !notice.open() && !release.open() &&
         std::all_of(victims.begin(), victims.end(),
                     [](const Victim& v) { return v.state.finished() && !v.pending_action.open(); });
}

void Entry::add_victims(std::uint32_t order) {
  const std::vector<VictimOrder>& added = orders[order]->victims;
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (added[i].hold != kNoEntry) continue;  // the victims of that hold are adopted instead
    Victim victim;
    victim.order = order;
    victim.index = static_cast<std::uint32_t>(i);
    victim.first_task = static_cast<std::uint32_t>(tasks.size());
    victim.state.tasks = static_cast<std::uint32_t>(added[i].tasks.size());
    victims.push_back(victim);
    tasks.resize(tasks.size() + added[i].tasks.size(), TaskProgress::none);
    exit_stamps.resize(tasks.size());
  }
}

void Entry::adopt(const Entry& from, const Victim& victim) {
  const std::shared_ptr<const CommitOrder>& origin = from.orders[victim.order];
  auto known = std::find(orders.begin(), orders.end(), origin);
  if (known == orders.end()) known = orders.insert(orders.end(), origin);
  Victim adopted = victim;
  adopted.order = static_cast<std::uint32_t>(known - orders.begin());
  adopted.first_task = static_cast<std::uint32_t>(tasks.size());
  victims.push_back(adopted);
  const auto marks = from.tasks.begin() + victim.first_task;
  tasks.insert(tasks.end(), marks, marks + victim.state.tasks);
  const auto heard = from.exit_stamps.begin() + victim.first_task;
  exit_stamps.insert(exit_stamps.end(), heard, heard + victim.state.tasks);
}

void Entry::take_back_lent(std::size_t first_victim) {
  const auto take = [](const Place& used, Place& room) {
    if (room.node != used.node) return;
    room.gpus &= ~used.gpus;
    const bool same_device = room.share_device == used.share_device;
    if (room.share > 0 && same_device) room.share -= std::min(room.share, used.share);
    if (room.share > 0 && (used.gpus >> room.share_device & 1) != 0) room.share = 0;
    for (auto& [name, amount] : room.resources) {
      for (const auto& [resource, held] : used.resources) {
        if (resource == name) amount -= std::min(amount, held);
      }
    }
    std::erase_if(room.resources, [](const auto& part) { return part.second == 0; });
  };
  for (std::size_t i = first_victim; i < victims.size(); ++i) {
    for (const Place& used : order_of(victims[i]).tasks) {
      for (Place& room : lent) take(used, room);
    }
  }
  std::erase_if(lent, [](const Place& room) {
    return room.gpus == 0 && room.share == 0 && room.resources.empty() && room.devices_known;
  });
}

bool Entry::heard_of(const VictimOrder& victim, AwaitedState state) {
  bool any = false;
  for (BorrowedRoom& borrowed_room : borrowed_rooms) {
    for (AwaitedVictim& each : borrowed_room.victims) {
      const bool open = each.state == AwaitedState::coming || each.state == AwaitedState::stuck;
      if (!open || each.state == state || each.job != victim.job) continue;
      if (std::none_of(victim.tasks.begin(), victim.tasks.end(),
                       [&](const Place& task) { return task.task == each.task; }))
        continue;
      each.state = state;
      any = true;
    }
  }
  return any;
}

void Entry::set_deadline() {
  clock.deadline = committed + order().entry_timeout;
  for (const std::shared_ptr<const CommitOrder>& each : orders) {
    clock.deadline = std::max(clock.deadline, each->latest_start);
  }
  for (const Victim& victim : victims) {
    if (order_of(victim).terms.may_stay() && victim.needed && !victim.state.finished())
      clock.deadline = kNoTime;
  }
  for (const BorrowedRoom& borrowed_room : borrowed_rooms) {
    for (const AwaitedVictim& victim : borrowed_room.victims) {
      if (victim.may_stay && victim.state == AwaitedState::coming) clock.deadline = kNoTime;
    }
  }
}

EntryNeeds Entry::needs() const {
  EntryNeeds needs;
  needs.short_of_space = hold_taken || space_lost || !lost_nodes.empty();
  for (const Victim& victim : victims) {
    if (!victim.needed || victim.state.finished()) continue;
    needs.pending = true;
    needs.may_last = needs.may_last || order_of(victim).terms.may_stay();
    if (victim.state.phase == VictimPhase::stuck) needs.short_of_space = true;
  }
  for (const BorrowedRoom& borrowed_room : borrowed_rooms) {
    needs.pending = needs.pending || borrowed_room.is_pending();
    needs.short_of_space = needs.short_of_space || borrowed_room.is_broken();
    for (const AwaitedVictim& victim : borrowed_room.victims)
      needs.may_last = needs.may_last || (victim.may_stay && victim.state == AwaitedState::coming);
  }
  return needs;
}

Time next_due(const Entry& entry) {
  const Duration patience = entry.order().action_timeout;
  Time due = next_due(entry.terms(), entry.clock);
  due = sooner(due, pending_action_due(entry.notice, patience));
  due = sooner(due, pending_action_due(entry.release, patience));
  for (const Victim& victim : entry.victims) {
    if (!victim.state.finished()) due = sooner(due, next_due(entry.order_of(victim).terms, victim.state));
    if (victim.pending_action.open()) due = sooner(due, pending_action_due(victim.pending_action, patience));
  }
  return due;
}

}  // namespace cede
