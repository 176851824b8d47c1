// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "engine/entry_view.h"

namespace cede {

// Finds the room that one entry keeps beside its places: whole nodes, and what its victims free beyond what
// its requester takes.
class KeptRoom {
 public:
  // `model` is that of the projected cluster. `loads` are those of the entry alone, without borrowed room.
  KeptRoom(const Model& model, const Book& book, const BookEntry& entry, EntryId own, const Lending& lending,
           EntryLoads loads)
      : model_(model), book_(book), entry_(entry), own_(own), lending_(lending), loads_(std::move(loads)) {}

  std::shared_ptr<const InFlight::Room> find();
  // The nodes on which the answer depends, once it was found.
  std::set<NodeId> nodes() const;

 private:
  bool is_used_up(NodeId node) const;
  void count_borrowed_rooms();
  void take_for_running();
  void keep_lost_places();
  void block_nodes(InFlight::Room& room) const;
  void block_surplus(InFlight::Room& room);
  void leave_out_used(NodeId node, InFlight::Blocked& blocked) const;
  void leave_out_used_amounts(NodeId node, bool devices_known, InFlight::Blocked& blocked) const;
  void block_unknown(NodeId node, const Load& taken, InFlight::Blocked& blocked) const;
  bool counts_devices(NodeId node, const Load& taken) const;

  const Model& model_;
  const Book& book_;
  const BookEntry& entry_;
  const EntryId own_;
  const Lending& lending_;
  EntryLoads loads_;
};

}  // namespace cede
