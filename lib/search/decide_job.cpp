// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "placement/usable_nodes.h"
#include "search/choose_victims.h"
#include "search/eligible_units.h"
#include "search/explain_no.h"
#include "search/request_caches.h"
#include "search/triggers.h"

namespace cede {

namespace {

bool gives_way(const DecisionContext& context) {
  const JobCore& job = context.model.jobs[context.request.job];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (context.rule_context.in_flight.is_leaving(TaskId{job.first_task.value + k})) return true;
  }
  return false;
}

// Why there is nothing to decide, whatever is free and whatever runs; nullopt if there is something.
std::optional<Verdict> nothing_to_decide(const DecisionContext& context) {
  const Model& model = context.model;
  const bool decided = context.rule_context.in_flight.has_entry(context.request.job);
  if (!decided && gives_way(context))
    return Verdict::wait("not-waiting", "the job is giving way to another request itself");
  if (!decided && context.request.tasks.empty())
    return Verdict::wait("not-waiting", "the job has no task that waits");
  const QueueId queue = context.request.queue;
  if (!context.effective.preemption_on(queue)) {
    return Verdict::wait(
        "off", "preemption is switched off for queue " + quote(model.name(model.queues[queue].name)));
  }
  if (decided) {
    return Verdict{Outcome::in_progress, "in-progress",
                   "an earlier decision for the job is not finished yet"};
  }
  return std::nullopt;
}

bool is_admitted(const DecisionContext& context) {
  RuleList<Trigger> admission(context.rule_context);
  context.profile.add_admission(admission);
  return std::none_of(admission.begin(), admission.end(),
                      [](const auto& rule) { return rule->refuses(nullptr); });
}

// Places the request in what is free. If all tasks are alike, nodes without room for one of them are skipped.
bool place_in_free_space(const DecisionContext& context, const Needs& needs, const Placer& placer,
                         const Space& space, Placement& placement) {
  if (!placer.arranger().only_allocator()) return needs.place(space, {}, placement);
  const ShapeId shape = context.request.tasks.front().resources;
  std::vector<std::uint32_t> nodes;
  {
    RequestCaches& caches = context.group_index->caches();
    const std::lock_guard lock(caches.mutex);
    nodes = caches.free(*context.group_index, shape).nodes(context.model.shape(shape));
  }
  return !nodes.empty() && needs.place(space, nodes, placement);
}

std::string why_impossible(const DecisionContext& context, const Placer& placer, const Space& empty) {
  const Model& model = context.model;
  const std::vector<QueueShortfall> shortfall = queue_shortfalls(context.rule_context, empty.usage());
  if (shortfall.empty())
    return "it would not fit even with every node up and empty: " +
           RequestNeeds(context.rule_context, placer, OneNode::anywhere).missing(empty);
  return "queue " + quote(model.name(model.queues[shortfall[0].queue].name)) + " allows " +
         format_total(shortfall[0].bound) + ' ' + std::string(model.resource_name(shortfall[0].resource)) +
         ", the request alone needs " + format_total(placer.asked(shortfall[0].resource));
}

// Why the request would not fit even on empty nodes; nullopt if it would.
std::optional<Verdict> unfit_for_empty_nodes(DecisionContext& context, const Placer& placer) {
  Space empty(context.rule_context, context.group_index->nodes(), Space::Fill::empty, &context.work);
  mark_usable(empty, context.rule_context, {}, Usable::ever);
  const bool room = queue_shortfalls(context.rule_context, empty.usage()).empty();
  if (!room || placer.fits(empty) == PlacementResult::no_room) {
    if (room && fits_if_topology_known(context, placer, empty))
      return Verdict::wait("topology-unknown", kTopologyUnknown);
    return Verdict{Outcome::impossible, "impossible", why_impossible(context, placer, empty)};
  }
  mark_usable(empty, context.rule_context, context.query.avoid, Usable::now);
  if (placer.fits(empty) == PlacementResult::no_room) {
    return Verdict::wait("nodes-unavailable",
                         "it would fit the group, but not without nodes that are down, draining, reserved, "
                         "avoided or another queue's home");
  }
  return std::nullopt;
}

}  // namespace

Verdict decide_job(DecisionContext& context, PlanBuilder& builder) {
  if (std::optional<Verdict> nothing = nothing_to_decide(context)) return std::move(*nothing);
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  mark_usable(space, context.rule_context, context.query.avoid, Usable::now);
  const Placer placer(context.rule_context, space.table(), context.work);
  const OneNode one_node = context.profile.one_node(context.rule_context);
  const RequestNeeds needs(context.rule_context, placer, one_node);
  Placement placement;
  if (is_admitted(context) && place_in_free_space(context, needs, placer, space, placement)) {
    builder.serve_now(placement, placer);
    return {Outcome::fits, "fits", "it fits into free space; nobody has to give way"};
  }
  if (std::optional<Verdict> unfit = unfit_for_empty_nodes(context, placer)) return std::move(*unfit);
  if (!context.effective.may_preempt(context.request.job))
    return Verdict::wait("may-not-preempt", "the job may not preempt, and nothing is free for it");
  builder.count_units();
  if (std::optional<Verdict> refused = refused_by_profile(context)) return std::move(*refused);
  if (std::optional<Verdict> wait = worth_waiting(context, needs)) return std::move(*wait);
  if (std::optional<Verdict> refused = refused_by_budget(context)) return std::move(*refused);
  if (context.query.triggers_only) return {Outcome::preempt, {}, "somebody has to give way"};
  const Objective objective(context.rule_context);
  const RuleList<Cap> kept = caps(context.rule_context);
  const VictimProblem problem{needs, &placer, space, one_node, objective, kept};
  if (std::optional<Verdict> known = cached_victims(context, problem, builder)) return std::move(*known);
  return choose_victims(context, problem, eligible_units(context, needs, space, builder), builder);
}

void explain_units(DecisionContext& context, Plan& plan) {
  // The same steps as in decide_job(), up to the eligible units.
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  mark_usable(space, context.rule_context, context.query.avoid, Usable::now);
  const Placer placer(context.rule_context, space.table(), context.work);
  const RequestNeeds needs(context.rule_context, placer, context.profile.one_node(context.rule_context));
  PlanBuilder builder(context);
  const std::vector<const Unit*> eligible = explained_eligible_units(context, needs, space, builder);
  std::set<TaskId> gone;
  for (const PlannedVictim& victim : plan.victims) gone.insert(victim.tasks.begin(), victim.tasks.end());
  builder.spare_all_but(eligible, gone);
  builder.explain_units_of(plan);
}

}  // namespace cede
