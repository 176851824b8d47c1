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
#include "base/time.h"
#include "model/ids.h"
#include "model/node_class.h"
#include "model/resources.h"

namespace cede {

// What was decided before and is not finished yet, as far as planning must respect it. Empty for an engine
// that never committed anything.
//
// It goes with a model that shows the cluster as it will be once all of that is done: victims are off their
// nodes, requesters are on them. What such a model cannot say is said here.
struct InFlight {
  // A requester's tasks, in the model as if they ran: space kept for it alone. Until it is ready, someone
  // stronger may take it.
  struct Hold {
    std::uint64_t entry = 0;
    JobId job;
    std::vector<TaskId> tasks;  // sorted
    bool ready = false;         // its start is ordered
  };

  // Space that nobody in the model holds and nobody may use yet: what victims hold beyond that which their
  // requester takes, and nodes kept as a whole.
  struct Blocked {
    std::uint64_t entry = 0;
    NodeId node;  // none: of the resources that the group counts
    GroupId group;
    std::vector<ResourceAmount> amounts;
    DeviceMask gpus = 0;  // whole devices
    std::vector<DeviceShare> shares;
    std::uint32_t unknown = 0;  // devices of which it is not known which they are
    bool whole_node = false;
    QueueId queue;  // of a claim: its jobs may use the whole node
  };

  // What a queue's subtree uses in the group beyond what the model shows, until the victims are gone.
  struct QueueSurplus {
    std::uint64_t entry = 0;
    GroupId group;
    QueueId queue;
    std::uint32_t resource = 0;
    Total amount = 0;
  };

  // What the victims of an entry hold beyond that which it takes, where the request may count on it: it is
  // neither in `blocked` nor in `surplus`, and who uses it comes after the entry.
  struct SurplusRoom {
    std::uint64_t entry = 0;
    JobId job;  // the entry's requester
    std::vector<Blocked> room;
    std::vector<QueueSurplus> queues;
  };

  std::vector<TaskId> leaving;  // on their way out: nobody takes them again; sorted
  std::vector<Hold> holds;      // by job
  std::vector<Blocked> blocked;
  std::vector<QueueSurplus> surplus;
  std::vector<SurplusRoom> surplus_rooms;  // in the order in which it is used
  std::shared_ptr<const InFlight> origin;  // the same with all spare room blocked; null: this is it

  std::vector<JobId> requesters;                         // with a live entry; sorted
  std::vector<std::pair<std::string, GroupId>> relief;   // what live entries relieve, as `node:n1`
  std::vector<std::pair<JobId, Time>> below_fair_share;  // since when; sorted
  CowMap<std::string, Time> node_commits;                // the last on each node, by its name

  bool is_leaving(TaskId task) const;
  const Hold* hold(JobId job) const;                    // null where it has none
  const SurplusRoom* surplus_room_of(JobId job) const;  // likewise
  // kNoTime where nothing is known.
  Time below_since(JobId job) const;
  Time last_commit(std::string_view node) const;
  bool has_entry(JobId requester) const;
  // Whether the victims of an entry still use some of the resource in the queue's subtree.
  bool has_surplus(std::uint64_t entry, QueueId queue, std::uint32_t resource) const;
};

}  // namespace cede
