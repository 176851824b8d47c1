// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "model/ids.h"
#include "model/node_class.h"

namespace cede {

// What was decided before and is not finished yet, as far as planning must respect it. Empty for an engine
// that never committed anything.
struct InFlight {
  // Space kept for somebody: a task to come with what it will hold on its node.
  struct HeldSpace {
    std::uint64_t entry = 0;
    NodeId node;
    QueueId queue;  // whose usage it counts as; none for a claim
    ShapeId resources = kNoShape;
    DeviceMask gpus = 0;
    std::uint32_t share_device = kMaxDevices;
    std::uint32_t share = 0;
    bool whole_node = false;
  };

  std::vector<TaskId> leaving;  // on their way out: nobody takes them again; sorted
  std::vector<HeldSpace> held;

  Time last_attempt = kNoTime;    // of the requester at hand
  std::vector<JobId> requesters;  // with a live entry; sorted

  std::vector<std::pair<JobId, Time>> below_fair_share;  // since when; sorted
  std::vector<std::pair<NodeId, Time>> node_commits;     // the last on each node; sorted

  bool is_leaving(TaskId task) const;
  // kNoTime where nothing is known.
  Time below_since(JobId job) const;
  Time last_commit(NodeId node) const;
  bool has_entry(JobId requester) const;
};

}  // namespace cede
