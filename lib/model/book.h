// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "model/model.h"

namespace cede {

// Space on one node, or of what its group counts, in the ids of one model.
struct HeldSpace {
  NodeId node;                          // none: the node is not in the model any more
  std::vector<ResourceAmount> amounts;  // counted on the node
  std::vector<ResourceAmount> of_group;
  DeviceMask gpus = 0;  // whole devices
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;    // in thousandths of share_device
  std::uint32_t unknown = 0;  // devices of which it is not known which they are
  // Devices there that tasks hold without saying which, when these were chosen.
  std::uint32_t unknown_there = 0;
  bool whole_node = false;
};

// A number for what a placement counts on about its node beyond space: the devices' topology where it names
// devices, and the node's network, fingerprint and labels where the job has a requirement. Another number on
// the same node means that the placement must be made anew. 0: it counts on nothing.
class NodeSignatures {
 public:
  explicit NodeSignatures(const Model& model) : model_(model) {}
  std::uint64_t of(NodeId node, bool devices, bool requirement);
  // The same for what a signature of that node was made for.
  bool is_still(NodeId node, std::uint64_t signature);

 private:
  std::uint64_t of_class(const NodeRow& node);

  const Model& model_;
  std::vector<std::pair<ClassId, std::uint64_t>> classes_;
};

// Where a task of a victim is, as the cluster and the events about it say.
enum class VictimTaskState : std::uint8_t {
  there,  // it runs where it ran
  left,   // it is gone; the cluster may still show it (`row`), if nobody has put it since
  again,  // it is gone, and it or another run of it is on that node: a task like any other
};

struct BookVictimTask {
  TaskId row;        // where the model has it on that node; none where it has not
  TaskId elsewhere;  // where the model has it on another node
  VictimTaskState state = VictimTaskState::left;
  bool told_gone = false;
  HeldSpace space;
};

struct BookVictim {
  QueueId queue;        // whose usage it is
  bool spared = false;  // it runs on
  bool leaves = false;  // what it holds is counted on: by its own entry, or by one that waits for it
  bool stuck = false;   // it cannot be removed
  bool finished = false;
  std::vector<BookVictimTask> tasks;
};

// A place that an entry keeps for a task of its requester, or a whole node for a claim.
enum class PlaceState : std::uint8_t {
  kept,     // nobody else has it once the victims are gone
  running,  // the requester's task is on it
  lost,     // the cluster does not have it any more
};

struct BookPlace {
  Model::FoundTask task;  // no row: the job has no such task any more, or the place is a claim's
  HeldSpace space;
  bool fits_node = true;  // the node is what the placement counts on (topology, network)
  PlaceState state = PlaceState::kept;
};

struct BookQueueRoom {
  QueueId queue;
  std::uint32_t resource = 0;
  Total amount = 0;
};

// What an entry uses of the room that victims of another one leave.
struct BookBorrowedRoom {
  std::uint64_t from = 0;
  bool pending = false;
  bool broken = false;
  std::vector<HeldSpace> room;
  std::vector<BookQueueRoom> queues;
};

struct BookEntry {
  enum class For : std::uint8_t { job, claim, relief };
  std::uint64_t id = 0;
  For requester_kind = For::job;
  bool live = false;
  bool ready = false;
  bool has_hold = false;  // live, and what it frees is kept for its requester
  bool was_lost = false;  // it is short because the cluster did not have its space
  Time committed = kNoTime;
  JobId requester;       // of For::job, where it is in the model
  QueueId queue;         // the requester's; of a claim whose it is
  std::string relieved;  // of For::relief, as `node:n1`
  GroupId group;
  std::vector<BookVictim> victims;
  std::vector<BookPlace> places;
  std::vector<BookBorrowedRoom> borrowed_rooms;
  std::vector<HeldSpace> lent;  // others have started on it

  bool lost_space() const;
};

// Who has what until when: the tasks the cluster shows, victims on their way out, holds, claims and borrowed
// room, all in the ids of one model. Planning sees the cluster through it (engine/outlook), commits are
// verified on what planning sees, and steps ask it before anything is started. It is made in one place
// (engine/book_writer) of the cluster and the ledger.
class Book {
 public:
  Book(const Model& model, std::vector<BookEntry> entries);

  const Model& model() const { return model_; }
  std::span<const BookEntry> entries() const { return entries_; }
  const BookEntry* find(std::uint64_t entry) const;

  // Whether the kept places of one entry are free at this moment: of every task that is on their nodes, and
  // of what other entries were told to start there. Of a claim: whether only the queue's own tasks are left.
  bool has_room_now(const BookEntry& entry) const;

  // Whether a limit concerns the requester: a queue above it has a `max`, or its group counts something.
  bool is_limited(const BookEntry& entry) const;
  // The entries of the group that a limit does not allow, the youngest first and those told to start last.
  // `used` is what a queue's subtree uses in the group once everything in flight is done; `own_queue_only`
  // whether only the `max` of the requester's own queue counts for it.
  std::vector<std::uint64_t> over_limits(GroupId group,
                                         const std::function<Total(QueueId, std::uint32_t)>& used,
                                         const std::function<bool(QueueId)>& own_queue_only) const;
  // Whether limits have room for the entry, whose places `used` counts as taken: in a queue's subtree, or
  // without a queue in the group.
  bool is_within_limits(const BookEntry& entry, const std::function<Total(QueueId, std::uint32_t)>& used,
                        bool own_queue_only) const;
  // What is in use at this moment, when victims may still be there, of tasks that the cluster shows and of
  // requesters that were told to start, with what this entry would start. Looks at every job.
  Total used_now(const BookEntry& entry, QueueId queue, std::uint32_t resource) const;

 private:
  // What is in use on one node.
  struct NodeUse {
    std::vector<Total> used;  // by resource
    DeviceMask whole = 0;
    std::uint16_t parts[kMaxDevices] = {};
    std::uint32_t unknown = 0;
  };
  enum class When : std::uint8_t { now, later };

  void settle_places();
  bool is_absent(TaskId row, When when) const;
  NodeUse use_of(NodeId node, When when, const BookEntry* own = nullptr) const;
  bool takes(const HeldSpace& space, const NodeUse& use) const;
  bool counts_gpu(const HeldSpace& space) const;
  void add(const HeldSpace& space, NodeUse& use) const;
  bool others_stay(const BookEntry& claim, NodeId node, When when) const;
  bool others_start(const BookEntry& claim, NodeId node) const;
  bool node_serves(const BookEntry& entry, const BookPlace& place) const;

  const Model& model_;
  std::vector<BookEntry> entries_;      // by number
  std::set<std::uint32_t> left_;        // task rows that the cluster shows though they are gone
  std::set<std::uint32_t> on_way_out_;  // rows that leave and are counted on
};

}  // namespace cede
