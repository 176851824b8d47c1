// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "base/cow_map.h"
#include "base/cow_vector.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/node_class.h"
#include "model/resources.h"

namespace cede {

struct Model;

// Earlier decisions that are not finished, as far as planning must respect them. Empty if the engine has
// never committed.
//
// It belongs to the model of the projected cluster, in which victims are off their nodes and requesters are
// on them. It holds what that model cannot express.
struct InFlight {
  // A victim that a hold still waits for.
  struct Awaited {
    JobId job;
    Time asked = kNoTime;  // when it was asked to leave, or will be
    Time ends = kNoTime;   // when its present phase ends, if it is being ended; kNoTime otherwise

    bool operator==(const Awaited&) const = default;
  };

  // Tasks of a requester that are in the model as if they ran: space kept for this requester only. Until the
  // entry is ready, a stronger request may take the hold, and then waits for the same victims.
  struct Hold {
    std::uint64_t entry = 0;
    JobId job;
    std::vector<TaskId> tasks;  // sorted
    bool ready = false;         // its start action was sent
    std::vector<Awaited> awaited = {};
    Time latest_start = kNoTime;     // of the entry; kNoTime: it may wait for ever. Counts only if it waits
    bool waits = false;              // for a victim of its own or of another entry
    std::vector<NodeId> nodes = {};  // of the tasks; sorted

    bool operator==(const Hold&) const = default;
  };

  // Space that no task in the model holds and no request may use yet: what victims hold beyond what their
  // requester takes, and nodes kept as a whole.
  struct Blocked {
    std::uint64_t entry = 0;
    NodeId node;  // none: resources that the group counts
    GroupId group;
    std::vector<ResourceAmount> amounts;
    DeviceMask gpus = 0;  // whole devices
    std::vector<DeviceShare> shares;
    std::uint32_t unknown = 0;  // devices that are not identified
    bool whole_node = false;
    QueueId queue;  // for a claim: jobs of this queue may use the whole node
  };

  // Usage of a queue's subtree in the group that the model does not show, until the victims are gone.
  struct QueueSurplus {
    std::uint64_t entry = 0;
    GroupId group;
    QueueId queue;
    std::uint32_t resource = 0;
    Total amount = 0;
  };

  // The room that one entry keeps beside its places. All of it but the whole nodes is surplus room: what
  // victims hold beyond what their requester takes.
  struct Room {
    std::uint64_t entry = 0;
    JobId job;  // the entry's requester, if that is a job
    std::vector<Blocked> blocked;
    std::vector<QueueSurplus> surplus;

    std::size_t lendable() const;  // blocked spaces that are no whole nodes
  };

  std::vector<TaskId> leaving;             // leaving tasks, which must not be taken again; sorted
  std::shared_ptr<const InFlight> origin;  // the same with all surplus room blocked; null: this one

  std::vector<JobId> requesters;                         // with a live entry; sorted
  std::vector<std::pair<std::string, GroupId>> relief;   // targets of live relief entries, as `node:n1`
  std::vector<std::pair<JobId, Time>> below_fair_share;  // since when; sorted
  std::vector<std::pair<NodeId, Time>> overcommitted;    // since when the engine knows; sorted
  CowMap<std::string, Time> node_commits;                // the last commit on each node, by name

  // Holds and rooms are added by ascending entries. A room replaces that of the same entry. Copies share
  // them.
  void add(Hold hold);
  void put(std::shared_ptr<const Room> room);
  // The same with the surplus room of these entries free, in the order of use, for a plan that comes after
  // them. Entries without surplus room or without a waiting job are left out. So are those that lend nothing
  // but room in queues, if the plan's queue has no limit.
  InFlight lending(std::span<const std::uint64_t> lenders, bool queue_is_limited) const;
  std::span<const std::uint64_t> lenders() const { return lenders_; }
  bool lends(std::uint64_t entry) const;

  // What a node's part of all this may be compared with later: a copy without history that keeps no model.
  InFlight without_history() const;
  // Nothing but the holds.
  InFlight holds_alone() const;
  // The nodes on which anything differs from another state: a hold, room that is kept or lent, a task that
  // leaves. A task that is not on a node any more is left out, because the node itself has changed then. It
  // costs what differs if one state was made from the other.
  std::vector<NodeId> nodes_that_differ(const InFlight& other, const Model& model) const;
  // Of these, the nodes on which a hold differs.
  std::vector<NodeId> nodes_of_other_holds(const InFlight& other) const;
  bool same_holds(const InFlight& other) const {
    return holds_.same_storage(other.holds_) || (holds_.empty() && other.holds_.empty());
  }

  bool is_leaving(TaskId task) const;
  const Hold* hold(JobId job) const;  // null if it has none
  const Hold* hold_of(std::uint64_t entry) const;
  const Room* room_of(std::uint64_t entry) const;  // lent or not
  const Room* lent_by(JobId job) const;
  bool any_holds() const { return !holds_.empty(); }
  bool any_blocked() const { return blocked_ > lent_blocked_; }
  bool any_surplus() const { return surplus_ > lent_surplus_; }
  // Whether any hold may still be taken.
  bool any_open_hold() const { return open_holds_ > 0; }

  // By entry.
  template <class Visit>
  void each_hold(Visit visit) const {
    for (std::size_t i = 0; i < holds_.size(); ++i) visit(holds_[i]);
  }
  // What is not lent.
  template <class Visit>
  void each_blocked(Visit visit) const {
    if (!any_blocked()) return;
    each_room([&](const Room& room) {
      const bool lent = lends(room.entry);
      for (const Blocked& each : room.blocked) {
        if (!lent || each.whole_node) visit(each);
      }
    });
  }
  template <class Visit>
  void each_surplus(Visit visit) const {
    if (!any_surplus()) return;
    each_room([&](const Room& room) {
      if (lends(room.entry)) return;
      for (const QueueSurplus& each : room.surplus) visit(each);
    });
  }
  // The sum of what each_surplus() shows, by group, queue and resource.
  template <class Visit>
  void each_surplus_sum(Visit visit) const {
    if (!any_surplus()) return;
    sums_.for_each([&](std::uint64_t, const std::vector<QueueSurplus>& of_queue) {
      for (const QueueSurplus& sum : of_queue) visit(sum);
    });
    each_lender([&](const Room& room) {
      for (QueueSurplus each : room.surplus) {
        each.amount = -each.amount;
        visit(each);
      }
    });
  }
  // In the order of use. Mostly none of them lends anything but room in queues.
  template <class Visit>
  void each_lender(Visit visit) const {
    std::size_t at = 0;  // lenders mostly ascend
    for (const std::uint64_t entry : lenders_) {
      if (at >= rooms_.size() || rooms_[at].entry != entry) at = row_of(entry);
      visit(*rooms_[at++].room);
    }
  }
  bool any_blocked_lent() const { return lent_blocked_ > 0; }
  template <class Visit>
  void each_room(Visit visit) const {
    for (std::size_t i = 0; i < rooms_.size(); ++i) visit(*rooms_[i].room);
  }

  // kNoTime if unknown.
  Time below_since(JobId job) const;
  Time overcommitted_since(NodeId node) const;
  Time last_commit(std::string_view node) const;
  bool has_entry(JobId requester) const;
  // The nodes where space is blocked for an entry, and the amount of a resource that is blocked for it of
  // what the group counts: giving up its hold frees that too.
  std::vector<NodeId> nodes_blocked_for(std::uint64_t entry) const;
  Total group_blocked_for(std::uint64_t entry, std::uint32_t resource) const;
  // Whether the victims of an entry still use some of the resource in the queue's subtree.
  bool has_surplus(std::uint64_t entry, QueueId queue, std::uint32_t resource) const;

 private:
  // The numbers are those of the room; kept beside it so that a walk over all rooms need not read them.
  struct RoomRow {
    std::uint64_t entry = 0;
    std::uint32_t lendable = 0;
    std::uint32_t surplus = 0;
    std::shared_ptr<const Room> room;
  };
  std::size_t row_of(std::uint64_t entry) const;
  void count(const Room& room, int sign);

  CowVector<Hold> holds_;                                  // by entry
  CowMap<std::uint32_t, std::uint32_t> by_job_;            // the position of its hold
  CowVector<RoomRow> rooms_;                               // by entry
  CowMap<std::uint64_t, std::vector<QueueSurplus>> sums_;  // of surplus, by group and queue; by resource
  std::vector<std::uint64_t> lenders_;                     // in the order of use
  std::vector<std::uint64_t> sorted_lenders_;
  std::size_t open_holds_ = 0;
  std::size_t blocked_ = 0;       // number of all blocked spaces
  std::size_t surplus_ = 0;       // number of all surplus rows
  std::size_t lent_blocked_ = 0;  // those of lenders, without whole nodes
  std::size_t lent_surplus_ = 0;
};

// What earlier decisions still allow a request at one moment: the rest of the storm limits, and when its last
// attempt was.
struct Allowance {
  // How much may still be taken within the window.
  struct Budget {
    std::int64_t left = 0;   // never below 0
    Time free_at = kNoTime;  // when more than that becomes free
  };
  struct OfQueue {
    QueueId queue;  // the victims' queue
    Budget budget;
  };
  struct OfUser {
    NameId user = kNoName;  // the victims' user
    Budget budget;
  };

  Time last_attempt = kNoTime;  // by the requester
  std::vector<OfQueue> queues;  // queues with less than the full budget left
  std::vector<OfUser> users;    // likewise
  bool bounds_lost_work = false;
  Budget lost_work;  // of the group, in thousandths of a GPU-minute
  bool bounds_queues = false;
  bool bounds_users = false;
  std::int64_t per_queue = 0;  // for queues that are not listed
  std::int64_t per_user = 0;

  bool bounds() const { return bounds_queues || bounds_users || bounds_lost_work; }
  Budget of_queue(QueueId queue) const {
    for (const OfQueue& each : queues) {
      if (each.queue == queue) return each.budget;
    }
    return {per_queue, kNoTime};
  }
  Budget of_user(NameId user) const {
    for (const OfUser& each : users) {
      if (each.user == user) return each.budget;
    }
    return {per_user, kNoTime};
  }
};

}  // namespace cede
