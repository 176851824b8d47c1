// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "model/model.h"

namespace cede {

// Space on one node, or of the resources that its group counts, in the ids of one model.
struct HeldSpace {
  NodeId node;                          // none: the node is no longer in the model
  std::vector<ResourceAmount> amounts;  // counted on the node
  std::vector<ResourceAmount> of_group;
  DeviceMask gpus = 0;  // whole devices
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;    // in thousandths of share_device
  std::uint32_t unknown = 0;  // devices that are not identified
  bool whole_node = false;

  bool names_devices() const { return gpus != 0 || share > 0; }
};

// A signature of what a placement requires of its node beyond space. It covers the device topology if the
// placement names devices, and the network, fingerprint and labels if the job has a requirement. If the
// node's signature changes, the placement must be made again. 0: nothing is required.
class NodeSignatures {
 public:
  explicit NodeSignatures(const Model& model) : model_(model) {}
  std::uint64_t of(NodeId node, bool devices, bool requirement);
  // Whether the node still has this signature.
  bool is_still(NodeId node, std::uint64_t signature);

 private:
  std::uint64_t of_class(const NodeRow& node);

  const Model& model_;
  std::vector<std::pair<ClassId, std::uint64_t>> classes_;
};

// Where a task of a victim is, according to the model and the events.
enum class VictimTaskState : std::uint8_t {
  there,  // it still runs on its node
  left,   // it is gone; the model may still show it (`row`) until the job is put again
  again,  // it is gone, and a new run of it is on that node; that run is an ordinary task
};

struct BookVictimTask {
  TaskId row;        // its row if the model has it on that node
  TaskId elsewhere;  // its row if the model has it on another node
  VictimTaskState state = VictimTaskState::left;
  bool reported_gone = false;
  HeldSpace space;
};

struct BookVictim {
  QueueId queue;        // the queue that its usage counts in
  bool spared = false;  // it runs on
  bool leaves = false;  // an entry counts on its room: its own, or a borrower
  bool stuck = false;   // it cannot be removed
  bool finished = false;
  Time asked = kNoTime;  // when it was asked to leave, or will be
  Time ends = kNoTime;   // when its present phase ends, if it is being ended; kNoTime otherwise
  std::vector<BookVictimTask> tasks;
};

// The state of a place that an entry keeps for a task of its requester, or of a whole node for a claim.
enum class PlaceState : std::uint8_t {
  kept,     // it is the entry's once the victims are gone
  running,  // the requester's task is on it
  lost,     // the cluster no longer has it
};

struct BookPlace {
  Model::FoundTask task;  // no row: the job no longer has such a task, or the place belongs to a claim
  HeldSpace space;
  bool fits_node = true;  // the node is still as the placement requires (topology, network)
  PlaceState state = PlaceState::kept;
};

struct BookQueueRoom {
  QueueId queue;
  std::uint32_t resource = 0;
  Total amount = 0;
};

// The surplus room of another entry that an entry uses.
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
  bool has_hold = false;    // live, and its placement is kept for its requester
  bool was_lost = false;    // it is short because the cluster did not have its space
  bool start_sent = false;  // its start action was sent
  bool waits = false;       // for a victim of its own or of another entry
  Time committed = kNoTime;
  JobId requester;       // for For::job, if the model has the job
  QueueId queue;         // the requester's queue, or the claiming queue
  std::string relieved;  // for For::relief, as `node:n1`
  GroupId group;
  // kNoTime: a victim may stay for ever.
  Time latest_start = kNoTime;
  std::vector<BookVictim> victims;
  std::vector<BookPlace> places;
  std::vector<BookBorrowedRoom> borrowed_rooms;
  std::vector<HeldSpace> lent;  // its own room that other requesters have started on
  // Tasks that do not name their devices and ran beside its places when those were chosen; sorted.
  std::vector<TaskId> beside;

  bool lost_space() const;
  // Whether its requester has left the model. The next step ends it; until then its space stays kept, but
  // nothing starts there, so it does not matter to other entries whether its places have names.
  bool ends() const { return requester_kind == For::job && !requester; }
};

// Who has what until when: tasks in the model, leaving victims, holds, claims and borrowed room, all in the
// ids of one model. Planning sees the cluster through it (engine/project_cluster), commits are verified
// against what planning sees, and steps consult it before anything starts. Only engine/book_writer makes it,
// from the cluster and the ledger.
//
// Devices and names. A task that runs may not say which devices it holds, and a place may be chosen before
// it is known which devices it gets: then only their number counts, and the manager chooses when the task
// starts. On every node:
// 1. The kept places of different entries all name their devices, or none does. Otherwise the one without
//    names might be started on a device that is kept for the other.
// 2. No task without names can hold a device that a place names. It could not when the place was chosen,
//    because a task that named the device held it; such tasks are listed in BookEntry::beside. A place is
//    lost when any other task without names is there. A run that was away once is another run.
// 3. A place without names is kept only while the reason lasts: a task or another place without names is on
//    the node, or nobody there uses names at all. Otherwise it is lost and is chosen again, with names. This
//    ends when its start action is sent. A place that was lost comes back only for the first reason.
// Planning chooses places that keep 1 and 2 (NodeSpace::pool and names_only), the verifier checks it
// (FreeDevices), settle_places() loses the places that a change of the cluster puts in conflict, and the
// audit counts again.
class Book {
 public:
  // `entries` are by id.
  Book(const Model& model, std::deque<BookEntry> entries);
  Book(const Book&) = delete;
  Book& operator=(const Book&) = delete;

  // Adds an entry that is younger than all others. It costs what is on the entry's nodes. False if the entry
  // changes what another one still has.
  bool add(BookEntry entry);

  const Model& model() const { return model_; }
  const std::deque<BookEntry>& entries() const { return entries_; }
  const BookEntry* find(std::uint64_t entry) const;
  // The nodes with a place or a victim of the entry, ascending.
  std::vector<NodeId> nodes_of(const BookEntry& entry) const;

  // Whether the kept places of an entry are free now: no task on their nodes uses them, and no other entry
  // was told to start there. For a claim: whether only tasks of the claiming queue are left.
  bool has_room_now(const BookEntry& entry) const;

  // Whether a task on the node, or a place that another entry keeps there, does not name its devices: the
  // reason for places without names (rule 3).
  bool lacks_names(NodeId node, std::uint64_t own) const;

  // Whether a limit applies to the requester: it, its queue or a queue above that has a `max`, or its group
  // counts resources.
  bool is_limited(const BookEntry& entry) const;
  // The entries of the group that exceed a limit. The youngest entries are chosen first, ready entries last.
  // `used` is the usage of a queue's subtree in the group once everything in flight is done. `own_queue_only`
  // tells whether only the `max` of the requester's own queue applies.
  std::vector<std::uint64_t> over_limits(GroupId group,
                                         const std::function<Total(QueueId, std::uint32_t)>& used,
                                         const std::function<bool(QueueId)>& own_queue_only) const;
  // Whether the entry stays within all limits. `used` is the usage of a queue's subtree or, without a queue,
  // of the group, and includes the entry's places.
  bool is_within_limits(const BookEntry& entry, const std::function<Total(QueueId, std::uint32_t)>& used,
                        bool own_queue_only) const;
  // The current usage: tasks in the model, with victims that are still there, requesters that were told to
  // start, and this entry's places. Visits every job.
  Total used_now(const BookEntry& entry, QueueId queue, std::uint32_t resource) const;

 private:
  // What is in use on one node.
  struct NodeUse {
    std::vector<Total> used;  // by resource
    DeviceMask whole = 0;
    std::uint16_t parts[kMaxDevices] = {};
    std::uint32_t unknown = 0;
    std::vector<TaskId> unnamed;  // tasks that hold devices and do not say which
    // Entries with a place here, and whether the place names its devices.
    std::vector<std::pair<const BookEntry*, bool>> places;
  };
  enum class When : std::uint8_t { now, later };
  // Whether the requester's own `max` allows its tasks and the entry's places together.
  bool is_within_job_max(const BookEntry& entry, When when) const;

  // A place that an entry with a hold keeps on some node.
  struct OwnedPlace {
    BookEntry* owner = nullptr;
    BookPlace* place = nullptr;
  };
  void list(BookEntry& entry);
  void settle_places(NodeId node);
  bool is_closed(const OwnedPlace& asked, const std::vector<OwnedPlace>& kept) const;
  bool is_absent(TaskId row, When when) const;
  NodeUse use_of(NodeId node, When when, const BookEntry* own = nullptr) const;
  bool takes(const BookEntry& entry, const HeldSpace& space, const NodeUse& use) const;
  bool agrees_on_names(const BookEntry& entry, const HeldSpace& space, const NodeUse& use) const;
  bool may_lack_names(const BookEntry& entry, const HeldSpace& space, const NodeUse& use) const;
  bool counts_gpu(const HeldSpace& space) const;
  void add(const BookEntry& entry, const HeldSpace& space, NodeUse& use) const;
  bool others_stay(const BookEntry& claim, NodeId node, When when) const;
  bool others_start(const BookEntry& claim, NodeId node) const;
  bool node_serves(const BookEntry& entry, const BookPlace& place) const;

  const Model& model_;
  std::deque<BookEntry> entries_;                     // by id
  std::map<NodeId, std::vector<OwnedPlace>> places_;  // by node, in the order of the entries
  std::set<std::uint32_t> left_;     // task rows that the model shows although the tasks are gone
  std::set<std::uint32_t> leaving_;  // task rows that leave and whose room is counted on
};

}  // namespace cede
