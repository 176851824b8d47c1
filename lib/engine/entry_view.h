// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/lending.h"
#include "model/book.h"
#include "model/in_flight.h"
#include "model/projection_edit.h"

namespace cede {

// What one entry adds to what is in flight.
struct EntryShare {
  std::vector<TaskId> leaving;
  std::optional<InFlight::Hold> hold;
  std::shared_ptr<const InFlight::Room> room;  // null: none
};

// What an entry frees and takes, on nodes and in queues.
struct EntryLoads {
  Loads freed;
  Loads there;    // the part of it that victims still hold
  Loads taken;    // of the freed room: by tasks that wait, and then by those that run
  Loads running;  // held by tasks that run, wherever they got it
  Loads lost;     // places that the cluster no longer has
  std::map<NodeId, std::uint32_t> still_unknown;  // unknown devices of victims that are still there
  QueueLoad leaving_usage;
  QueueLoad taken_usage;
};

// One entry of the book, as it changes the projected cluster.
class EntryView {
 public:
  EntryView(ProjectionEdit& edit, const Book& book, const BookEntry& entry, EntryId own,
            const Lending& lending)
      : edit_(edit), book_(book), entry_(entry), own_(own), lending_(lending) {}

  const BookEntry& entry() const { return entry_; }
  const EntryShare& share() const { return share_; }

  // Removes the victims. Call it for all entries before any requester is placed.
  void clear();
  // Places the requester. Returns whether rows of its job have moved.
  bool place();
  // Finds what the entry blocks. Call it after all requesters are placed, and again when anything on the
  // returned nodes changes, or what the entry lends. The group's own resources are no node.
  std::set<NodeId> keep();

 private:
  void look_at(const BookVictim& victim, bool own);
  void count_queue(QueueId queue, const HeldSpace& space, QueueLoad& loads) const;
  bool place_requester();
  HeldSpace taken_by(const BookPlace& place) const;

  ProjectionEdit& edit_;
  const Book& book_;
  const BookEntry& entry_;
  const EntryId own_;
  const Lending& lending_;
  EntryLoads loads_;
  EntryShare share_;
};

}  // namespace cede
