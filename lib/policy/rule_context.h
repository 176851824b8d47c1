// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "model/allowance.h"
#include "model/in_flight.h"
#include "policy/group_usage.h"
#include "policy/request.h"
#include "policy/unit.h"

namespace cede {

class FairShareStatus;

inline const Allowance kUnlimited;

// Who asks, when, and what is known at that moment. Rules look at it and never change it.
struct RuleContext {
  const EffectiveSettings& effective;
  const Request& request;
  Time now = 0;
  std::vector<JobId> protect;  // not to be taken; sorted
  const GroupUsage& usage;     // as it is, before anything is freed
  const InFlight& in_flight;
  std::span<const Unit* const> units = {};  // all running units of the group, in no order
  const FairShareStatus* fair = nullptr;    // in profile `fair-share` alone
  const Allowance& allowance = kUnlimited;
  // The first waiting job that is served before the requester and may preempt in its turn; none: the
  // requester is the first. Known only to triggers that need it (Trigger::needs_front_job).
  JobId front_job = {};

  const Model& model() const { return effective.model(); }
  // The job that wants to start; none for relief and claims, and rules that compare with one let all pass.
  JobId requester() const { return request.purpose == Purpose::job ? request.job : JobId{}; }
  QueueId queue() const { return request.queue; }
  GroupId group() const { return request.group; }
};

}  // namespace cede
