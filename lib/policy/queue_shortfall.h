// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/rule_context.h"

namespace cede {

// A queue on the requester's path that a limit leaves without room for the request.
struct QueueShortfall {
  QueueId queue;
  std::uint32_t resource = 0;
  Total bound = 0;         // what the limit allows
  Total would_be = 0;      // what the request would bring it to
  std::string_view limit;  // "max", "guaranteed"
};

// What the request's tasks ask for in sum.
Total asked(const RuleContext& rule_context, std::uint32_t resource);

// The request's path upwards as far as limits are applied: to the root, in profile `quota` without
// `check_parent_quota` its own queue alone.
std::vector<QueueId> limited_path(const RuleContext& rule_context);

// Every `max` on the path that the request would exceed beside this usage, nearest queue first. Only
// resources it asks for count.
std::vector<QueueShortfall> lacking_room(const RuleContext& rule_context, const GroupUsage& usage);

// `queue 'root.a' would hold 9 gpu, its max is 8`.
std::string describe(const Model& model, const QueueShortfall& lacking);

// The quota formulas of profile `quota`, for the job's waiting tasks together and every queue of its path. A
// queue that states no guarantee has no minimum to test, one without `max` no maximum.

// Not preemptible: what jobs that may not be preempted use, and the request, within the minimum.
std::vector<QueueShortfall> lacking_minimum(const RuleContext& rule_context);

// Preemptible: what is owed to jobs that may not be preempted, what the others use, and the request, within
// the maximum.
std::vector<QueueShortfall> lacking_maximum(const RuleContext& rule_context);

}  // namespace cede
