// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/rule_context.h"

namespace cede {

// A queue on the requester's path whose limit leaves no room for the request.
struct QueueShortfall {
  QueueId queue;
  std::uint32_t resource = 0;
  Total bound = 0;         // what the limit allows
  Total would_be = 0;      // what the queue would hold with the request
  std::string_view limit;  // "max", "guaranteed"
};

// The sum over the request's tasks.
Total asked(const RuleContext& rule_context, std::uint32_t resource);

// The queues whose limits apply: from the request's queue up to the root. In profile `quota` without
// `check_parent_quota` only the request's own queue.
std::vector<QueueId> limited_path(const RuleContext& rule_context);

// Every `max` on the path that the request would exceed on top of this usage, nearest queue first. Only
// requested resources count.
std::vector<QueueShortfall> queue_shortfalls(const RuleContext& rule_context, const GroupUsage& usage);

// `queue 'root.a' would hold 9 gpu, its max is 8`.
std::string describe(const Model& model, const QueueShortfall& shortfall);

// The quota formulas of profile `quota`, for the job's waiting tasks together and every queue of its path. A
// queue without a guarantee has no minimum to check, a queue without `max` no maximum.

// For a job that may not be preempted: the usage of such jobs plus the request must be within the minimum.
std::vector<QueueShortfall> minimum_shortfalls(const RuleContext& rule_context);

// For a preemptible job: what the queue owes to jobs that may not be preempted, plus the usage of preemptible
// jobs, plus the request must be within the maximum.
std::vector<QueueShortfall> maximum_shortfalls(const RuleContext& rule_context);

}  // namespace cede
