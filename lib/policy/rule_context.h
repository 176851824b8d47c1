// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "model/in_flight.h"
#include "policy/group_usage.h"
#include "policy/request.h"
#include "policy/unit.h"

namespace cede {

class FairShareStatus;

inline const Allowance kUnlimited;

// What a rule may look at: the request, the time, and what is known at that time. Rules never change it.
struct RuleContext {
  const EffectiveSettings& effective;
  const Request& request;
  Time now = 0;
  std::vector<JobId> protect;  // jobs that must not be taken; sorted
  const GroupUsage& usage;     // current usage, before any unit is removed
  const InFlight& in_flight;
  std::span<const Unit* const> units = {};  // all running units of the group, in no order
  const FairShareStatus* fair = nullptr;    // set in profile `fair-share` only
  const Allowance& allowance = kUnlimited;
  // The first waiting job that is served before the requester and may itself preempt. None: the requester is
  // first. Set only for triggers that need it (Trigger::needs_front_job).
  JobId front_job = {};

  const Model& model() const { return effective.model(); }
  // The job that wants to start. Relief and claims have none; rules that compare with the requester then let
  // every unit pass.
  JobId requester() const { return request.purpose == Purpose::job ? request.job : JobId{}; }
  QueueId queue() const { return request.queue; }
  GroupId group() const { return request.group; }
};

}  // namespace cede
