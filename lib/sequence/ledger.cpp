// SPDX-License-Identifier: MIT
#include "sequence/ledger.h"

#include <algorithm>

namespace cede {

namespace {

// May visit a node more than once, but not in a row: the victims for one task are mostly on one node.
template <class Visit>
void for_each_node(const Entry& entry, Visit visit) {
  const std::string* last = nullptr;
  const auto show = [&](const Place& place) {
    if (!last || *last != place.node) visit(place.node);
    last = &place.node;
  };
  for (const Victim& victim : entry.victims) {
    for (const Place& task : entry.order_of(victim).tasks) show(task);
  }
  for (const Place& place : entry.placement()) show(place);
}

template <class Visit>
void for_each_action(const Entry& entry, Visit visit) {
  for (std::size_t i = 0; i < entry.victims.size(); ++i) {
    const ActionOwner owner{entry.id, static_cast<std::uint32_t>(i)};
    if (entry.victims[i].action != kNoAction) visit(entry.victims[i].action, owner);
    if (entry.victims[i].pending_action.open()) visit(entry.victims[i].pending_action.id, owner);
  }
  if (entry.notice.open()) visit(entry.notice.id, ActionOwner{entry.id});
  if (entry.release.open()) visit(entry.release.id, ActionOwner{entry.id});
}

template <class Visit>
void for_each_awaited(const Entry& entry, Visit visit) {
  for (const BorrowedRoom& borrowed_room : entry.borrowed_rooms) {
    for (const AwaitedVictim& victim : borrowed_room.victims) visit(victim.job);
  }
}

std::vector<EntryId> listed(const CowMap<std::string, std::vector<EntryId>>& index, std::string_view name) {
  const std::vector<EntryId>* found = index.find(name);
  std::vector<EntryId> ids = found ? *found : std::vector<EntryId>{};
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

void strike(CowMap<std::string, std::vector<EntryId>>& index, const std::string& name, EntryId id) {
  std::vector<EntryId>* ids = index.find_edit(name);
  if (!ids) return;
  std::erase(*ids, id);
  if (ids->empty()) index.erase(name);
}

bool has_requester(const Entry& entry) {
  return entry.requester().kind == RequesterKind::job && is_live(entry.clock.state);
}

}  // namespace

std::vector<EntryId> Ledger::ids() const {
  std::vector<EntryId> ids;
  ids.reserve(entries_.size());
  entries_.for_each([&](EntryId id, const Entry&) { ids.push_back(id); });
  std::sort(ids.begin(), ids.end());
  return ids;
}

void Ledger::add(Entry entry) {
  // A number that is taken again, or one that was left out, is not seen by who followed the ledger so far.
  if (entry.id != highest_ + 1) ++changes_;
  highest_ = std::max(highest_, entry.id);
  being_added_ = entry.id;
  put(std::move(entry));
}

void Ledger::put(Entry entry) {
  const EntryId id = entry.id;
  if (const Entry* old = find(id)) unindex(*old);
  if (id != being_added_) ++changes_;
  last_ = std::max(last_, id);
  highest_ = std::max(highest_, id);
  index(entry);
  entries_.edit(id) = std::move(entry);
  due_.set(id, kAtOnce);
}

void Ledger::erase(EntryId id) {
  ++changes_;
  unindex(*find(id));
  due_.set(id, kNoTime);
  entries_.erase(id);
}

EntryId Ledger::of_requester(std::string_view job) const {
  const EntryId* id = requesters_.find(job);
  return id ? *id : kNoEntry;
}

void Ledger::forget_requester(const Entry& entry) {
  if (entry.requester().kind == RequesterKind::job && of_requester(entry.requester().name) == entry.id) {
    requesters_.erase(entry.requester().name);
  }
}

std::span<const VictimRef> Ledger::victims_of(std::string_view job) const {
  const std::vector<VictimRef>* found = victims_.find(job);
  return found ? std::span<const VictimRef>(*found) : std::span<const VictimRef>();
}

void Ledger::forget_victim(std::string_view job, VictimRef victim) {
  std::vector<VictimRef>* refs = victims_.find_edit(job);
  if (!refs) return;
  std::erase(*refs, victim);
  if (refs->empty()) victims_.erase(job);
}

EntryId Ledger::holder_of(std::string_view job, std::string_view task) const {
  for (const VictimRef& ref : victims_of(job)) {
    const Entry& entry = *find(ref.entry);
    const Victim& victim = entry.victims[ref.victim];
    const VictimOrder& order = entry.order_of(victim);
    const std::size_t index = task_index(order, task);
    if (index < order.tasks.size() && !is_gone(entry.tasks[victim.first_task + index])) return ref.entry;
  }
  return kNoEntry;
}

bool Ledger::is_of_victim(std::string_view job, std::string_view task) const {
  const std::span<const VictimRef> refs = victims_of(job);
  return std::any_of(refs.begin(), refs.end(), [&](const VictimRef& ref) {
    const Entry& entry = *find(ref.entry);
    const VictimOrder& order = entry.order_of(entry.victims[ref.victim]);
    return task_index(order, task) < order.tasks.size();
  });
}

std::vector<EntryId> Ledger::waiting_for(std::string_view job) const { return listed(awaited_, job); }
std::vector<EntryId> Ledger::on_node(std::string_view node) const { return listed(nodes_, node); }

std::optional<ActionOwner> Ledger::owner_of(ActionId action) const {
  const ActionOwner* owner = actions_.find(action);
  return owner ? std::optional(*owner) : std::nullopt;
}

void Ledger::index(const Entry& entry) {
  if (has_requester(entry)) requesters_.edit(entry.requester().name) = entry.id;
  for (std::size_t i = 0; i < entry.victims.size(); ++i) {
    if (entry.victims[i].state.finished()) continue;
    victims_.edit(entry.order_of(entry.victims[i]).job).push_back({entry.id, static_cast<std::uint32_t>(i)});
  }
  for_each_awaited(entry, [&](const std::string& job) { awaited_.edit(job).push_back(entry.id); });
  for_each_node(entry, [&](const std::string& node) { nodes_.edit(node).push_back(entry.id); });
  for_each_action(entry, [&](ActionId action, ActionOwner owner) { open(action, owner); });
}

void Ledger::unindex(const Entry& entry) {
  for (std::size_t i = 0; i < entry.victims.size(); ++i) {
    forget_victim(entry.order_of(entry.victims[i]).job, {entry.id, static_cast<std::uint32_t>(i)});
  }
  for_each_awaited(entry, [&](const std::string& job) { strike(awaited_, job, entry.id); });
  for_each_node(entry, [&](const std::string& node) { strike(nodes_, node, entry.id); });
}

std::size_t task_index(const VictimOrder& order, std::string_view task) {
  const auto found =
      std::lower_bound(order.tasks.begin(), order.tasks.end(), task,
                       [](const Place& place, std::string_view label) { return place.task < label; });
  if (found == order.tasks.end() || found->task != task) return order.tasks.size();
  return static_cast<std::size_t>(found - order.tasks.begin());
}

}  // namespace cede
