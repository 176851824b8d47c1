// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rule.h"

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

// The one that a reason names: of the first queue listed, the first resource in byte order of names. There is
// at least one.
const QueueShortfall& first_by_name(const Model& model, const std::vector<QueueShortfall>& shortfall);

// `queue 'root.a' would hold 9 gpu, its max is 8`.
std::string describe(const Model& model, const QueueShortfall& shortfall);

// By how much the requester's own `max` is too small.
struct JobShortfall {
  std::uint32_t resource = 0;
  Total bound = 0;     // what the limit allows
  Total asked = 0;     // by the request
  Total would_be = 0;  // what the job would hold with the request
};

// The job's own `max`, for the first resource in byte order of names. Only the job's own tasks count against
// it, so preemption does not help.
std::optional<JobShortfall> job_shortfall(const Model& model, const Request& request);

// The quota formulas of profile `quota`, for the job's waiting tasks together and every queue of its path. A
// queue without a guarantee has no minimum to check, a queue without `max` no maximum.

// For a job that may not be preempted: the usage of such jobs plus the request must be within the minimum.
std::vector<QueueShortfall> minimum_shortfalls(const RuleContext& rule_context);

// For a preemptible job: what the queue owes to jobs that may not be preempted, plus the usage of preemptible
// jobs, plus the request must be within the maximum.
std::vector<QueueShortfall> maximum_shortfalls(const RuleContext& rule_context);

// What the laws of profile `guarantee` need to know about queues.

// Whether every task of the request can run on one named node only. If some tasks may run elsewhere, the laws
// hold for the whole request, and `required_node` only fixes the place of the others.
bool for_required_node(const RuleContext& rule_context);

// Whether a victim of this queue is in the requester's own leaf queue. Laws 4 and 5 do not apply there.
bool within_leaf(const RuleContext& rule_context, QueueId victim);

// Victims must be in the subtree of this queue. It is the first queue up the path that is fenced or that the
// request would bring over its `max`; only victims below a full queue can help. Otherwise it is the root.
QueueId fence_of(const RuleContext& rule_context);

// The lowest queue of the path, inside the fence, that guarantees a requested resource and uses less of it
// than guaranteed. With `within_guarantee` the request must fit into the unused part. None: no queue
// justifies the request.
QueueId lowest_justifying_queue(const RuleContext& rule_context);

// Whether some queue would hold less than its guarantee, and less than it holds now, once the victims are
// gone and the request is placed; `why` receives the first such queue by name. With `intra_queue` the
// requester's own queue may, unless a victim is larger than the request: what leaves and what comes belong to
// the same guarantee, but a small request must not open a gap that the queue then fills from its siblings.
bool loses_guarantee(const RuleContext& rule_context, std::span<const Unit* const> victims, std::string* why);

// The same for a single victim; fast enough for very many units.
bool alone_loses_guarantee(const RuleContext& rule_context, const Unit& unit);

// A queue of which the victims hold more than it may lose.
struct GuaranteeExcess {
  QueueId queue;
  std::uint32_t resource = 0;
  Total lost = 0;
};

// One reason why the victims make a queue lose its guarantee; nullopt if they do not, or if that depends on
// more than what each queue loses (`intra_queue`).
std::optional<GuaranteeExcess> guarantee_excess(const RuleContext& rule_context,
                                                std::span<const Unit* const> victims);

// What the queue may lose of the resource; nullopt if it guarantees none.
std::optional<Total> guarantee_room(const RuleContext& rule_context, QueueId queue, std::uint32_t resource);

// The same for sets, as one limit per queue and guaranteed resource. The requester's own queue has none if it
// may shrink.
std::vector<LinearLimit> guarantee_limits(const RuleContext& rule_context,
                                          std::span<const Unit* const> candidates);

// The most of a resource that these candidates can free without any queue losing its guarantee. A subtree
// frees at most what its queue may lose, and at most what its own units and the queues below can free.
Total freed_within_guarantees(const RuleContext& rule_context, std::span<const Unit* const> candidates,
                              std::uint32_t resource);

}  // namespace cede
