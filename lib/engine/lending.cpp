// SPDX-License-Identifier: MIT
#include "engine/lending.h"

#include <algorithm>

namespace cede {

void count_in(Loads& loads, const HeldSpace& space) {
  if (!space.node) return;
  Load& load = loads[space.node];
  for (const ResourceAmount& each : space.amounts) load.amounts[each.resource] += each.amount;
  for (const ResourceAmount& each : space.of_group) loads[NodeId{}].amounts[each.resource] += each.amount;
  load.unknown += space.unknown;
  load.gpus |= space.gpus;
  if (space.share > 0) load.shares[space.share_device] += space.share;
}

namespace {

class RoomDivider {
 public:
  RoomDivider(const Model& model, const BookEntry& borrower) : model_(model), borrower_(borrower) {
    for (const BookPlace& place : borrower.places) {
      any_runs_ = any_runs_ || place.state == PlaceState::running;
      if (place.state == PlaceState::running) continue;
      count_in(waiting_, place.space);
      for (const auto* amounts : {&place.space.amounts, &place.space.of_group}) {
        for (const ResourceAmount& each : *amounts) asked_[each.resource] += each.amount;
      }
    }
  }

  std::vector<RoomInUse> run() {
    std::vector<RoomInUse> out;
    for (const BookBorrowedRoom& borrowed_room : borrower_.borrowed_rooms) {
      if (borrowed_room.broken) continue;
      RoomInUse& room = out.emplace_back();
      room.from = borrowed_room.from;
      room.pending = borrowed_room.pending;
      if (!any_runs_) {
        room.waiting = borrowed_room.room;
        room.queues = borrowed_room.queues;
        continue;
      }
      for (const HeldSpace& space : borrowed_room.room) divide(space, room);
      for (BookQueueRoom each : borrowed_room.queues) {
        Total& asked = in_queue(each.queue, each.resource);
        each.amount = std::min(each.amount, asked);
        asked -= each.amount;
        if (each.amount > 0) room.queues.push_back(each);
      }
    }
    return out;
  }

 private:
  void divide(const HeldSpace& space, RoomInUse& out) {
    HeldSpace waits = space;
    HeldSpace runs = space;
    Load& asked = waiting_[space.node];
    divide(asked, waits.amounts, runs.amounts);
    divide(waiting_[NodeId{}], waits.of_group, runs.of_group);
    // Which of the devices that a place without names is given is not known: it waits for all of them.
    const bool all = asked.unknown > 0;
    if (!all) {
      waits.gpus &= asked.gpus;
      if (space.share > 0 && !asked.shares.contains(space.share_device) &&
          (asked.gpus >> space.share_device & 1) == 0)
        waits.share = 0;
      waits.unknown = 0;
    }
    runs.gpus &= ~waits.gpus;
    if (waits.share > 0) runs.share = 0;
    if (all) runs.unknown = 0;
    out.waiting.push_back(std::move(waits));
    out.running.push_back(std::move(runs));
  }

  static void divide(Load& asked, std::vector<ResourceAmount>& waits, std::vector<ResourceAmount>& runs) {
    for (std::size_t i = 0; i < waits.size(); ++i) {
      Total& left = asked.amounts[waits[i].resource];
      const auto part = static_cast<Amount>(std::min<Total>(waits[i].amount, left));
      left -= part;
      runs[i].amount -= part;
      waits[i].amount = part;
    }
  }

  // What waiting tasks ask for in a queue above theirs and is not yet divided.
  Total& in_queue(QueueId queue, std::uint32_t resource) {
    const auto [at, added] = in_queues_.try_emplace({queue, resource}, 0);
    if (added && borrower_.queue && model_.is_below(borrower_.queue, queue)) at->second = asked_[resource];
    return at->second;
  }

  const Model& model_;
  const BookEntry& borrower_;
  bool any_runs_ = false;
  Loads waiting_;
  std::map<std::uint32_t, Total> asked_;
  QueueLoad in_queues_;
};

}  // namespace

Lending::Lending(const Book& book, EntryId own) {
  for (const BookEntry& entry : book.entries()) {
    if (entry.id != own) add(book.model(), entry);
  }
}

const std::vector<RoomInUse>& Lending::add(const Model& model, const BookEntry& borrower) {
  if (!borrower.has_hold || borrower.borrowed_rooms.empty()) return borrowed_by(borrower.id);
  const auto& rooms = by_borrower_.emplace(borrower.id, RoomDivider(model, borrower).run()).first->second;
  for (const RoomInUse& room : rooms) by_lender_[room.from].push_back(&room);
  return rooms;
}

const std::vector<RoomInUse>& Lending::borrowed_by(EntryId borrower) const {
  static const std::vector<RoomInUse> kNone;
  const auto found = by_borrower_.find(borrower);
  return found == by_borrower_.end() ? kNone : found->second;
}

const std::vector<const RoomInUse*>& Lending::lent_by(EntryId lender) const {
  static const std::vector<const RoomInUse*> kNone;
  const auto found = by_lender_.find(lender);
  return found == by_lender_.end() ? kNone : found->second;
}

}  // namespace cede
