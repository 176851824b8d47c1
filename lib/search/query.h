// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/in_flight.h"
#include "model/plan.h"
#include "policy/request.h"

namespace cede {

// What a caller asks, with its terms.
struct Query {
  Purpose purpose = Purpose::job;
  JobId job;      // the waiting job, or the job over its `max`
  NodeId node;    // relief of a node
  QueueId queue;  // relief of a queue, or the claiming queue
  GroupId group;  // for relief of a queue
  std::vector<NodeId> claimed;
  Time now = 0;
  std::vector<JobId> protect;  // jobs that must not be victims
  NodeTerms avoid = {};        // nodes not to be used
  bool partial = false;        // relief: accept less than enough
  Allowance allowance = {};
  // Only asks whether the request may preempt: instead of a search, the answer is `preempt` without victims.
  bool triggers_only = false;
};

}  // namespace cede
