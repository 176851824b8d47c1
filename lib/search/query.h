// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/allowance.h"
#include "model/plan.h"
#include "policy/request.h"

namespace cede {

// What somebody wants to know.
struct Query {
  Purpose purpose = Purpose::job;
  JobId job;      // that waits, or that is over its `max`
  NodeId node;    // relief
  QueueId queue;  // relief, or who claims
  GroupId group;  // of relief for a queue
  std::vector<NodeId> claimed;
  Time now = 0;
  std::vector<JobId> protect;  // not to be taken
  NodeTerms avoid = {};        // nodes not to be used
  bool partial = false;        // relief: as much as can be had
  Allowance allowance = {};
  // Whether anybody is to give way at all: where a search would begin, the answer is `preempt` with nobody.
  bool triggers_only = false;
};

}  // namespace cede
