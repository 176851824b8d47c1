// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/book.h"
#include "sequence/entry.h"

namespace cede {

// What is held on one node, or of the resources that the group counts.
struct Load {
  std::map<std::uint32_t, Total> amounts;
  DeviceMask gpus = 0;
  std::map<std::uint32_t, std::uint32_t> shares;
  std::uint32_t unknown = 0;
};
using Loads = std::map<NodeId, Load>;
using QueueLoad = std::map<std::pair<QueueId, std::uint32_t>, Total>;

void count_in(Loads& loads, const HeldSpace& space);

// Borrowed room, divided: what is for tasks that still wait, and what tasks that run have no use for any
// more. A manager may start a task before the victims that its room comes from are gone: then it runs on
// other room, and the victims' room is the lender's again until they leave.
struct RoomInUse {
  std::uint64_t from = 0;
  bool pending = false;
  std::vector<HeldSpace> waiting;
  std::vector<HeldSpace> running;
  std::vector<BookQueueRoom> queues;  // for tasks that wait
};

// The borrowed room of all entries but the own one.
class Lending {
 public:
  Lending(const Book& book, EntryId own);

  // Adds the room that an entry borrows. Returns it.
  const std::vector<RoomInUse>& add(const Model& model, const BookEntry& borrower);
  // What an entry borrows and what it lends, in the order of the borrowers.
  const std::vector<RoomInUse>& borrowed_by(EntryId borrower) const;
  const std::vector<const RoomInUse*>& lent_by(EntryId lender) const;

 private:
  std::map<EntryId, std::vector<RoomInUse>> by_borrower_;
  std::map<EntryId, std::vector<const RoomInUse*>> by_lender_;
};

}  // namespace cede
