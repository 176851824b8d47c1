// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "placement/node_attributes.h"
#include "policy/reclaim.h"
#include "search/choose_victims.h"
#include "search/plan_builder.h"
#include "search/request_caches.h"
#include "search/triggers.h"

namespace cede {

namespace {

bool gives_way(const DecisionContext& context) {
  return gives_way(context.rule_context, context.request.job);
}

std::string why_nothing_waits(const DecisionContext& context) {
  const Model& model = context.model;
  const JobCore& job = model.jobs[context.request.job];
  std::uint32_t placed = 0;
  for (std::uint32_t k = 0; k < job.task_rows; ++k)
    placed += model.tasks.core(TaskId{job.first_task.value + k}).node ? 1 : 0;
  const std::string state(to_word(job.state, kJobStates));
  if (placed == job.task_rows) return "the job is " + state + ", and none of its tasks waits";
  // An elastic job has what it needs.
  return "the job is " + state + " with " + std::to_string(placed) + " tasks, and its min_tasks is " +
         std::to_string(model.job_extras[context.request.job.value].min_tasks);
}

// Why there is nothing to decide, whatever is free and whatever runs; nullopt if there is something.
std::optional<Verdict> nothing_to_decide(const DecisionContext& context) {
  const bool decided = context.rule_context.in_flight.has_entry(context.request.job);
  if (!decided && gives_way(context))
    return Verdict::wait("not-waiting", "the job is giving way to another request itself");
  if (!decided && context.request.tasks.empty())
    return Verdict::wait("not-waiting", why_nothing_waits(context));
  if (decided) {
    return Verdict{Outcome::in_progress, "in-progress",
                   "an earlier decision for the job is not finished yet"};
  }
  return std::nullopt;
}

// The kill switch stops preemption, never a start into free space.
std::optional<Verdict> switched_off(const DecisionContext& context) {
  const QueueId queue = context.request.queue;
  if (context.effective.preemption_on(queue)) return std::nullopt;
  return Verdict::wait("off", "preemption is switched off for queue " +
                                  quote(context.model.name(context.model.queues[queue].name)) +
                                  ", and the job does not fit into what is free");
}

std::string why_it_may_not(const DecisionContext& context) {
  if (!context.effective.may_preempt(context.request.job))
    return "the job may not preempt, and the request does not fit into what is free";
  const auto barred =
      std::find_if(context.request.tasks.begin(), context.request.tasks.end(),
                   [&](const RequestTask& task) { return !context.effective.task_may_preempt(task.row); });
  return "task " + quote(task_label(context.model, barred->row, barred->index)) +
         " may not preempt, and the request does not fit into what is free";
}

std::optional<Verdict> barred_from_preempting(const DecisionContext& context) {
  if (context.request.may_preempt) return std::nullopt;
  return Verdict::wait("may-not-preempt", why_it_may_not(context));
}

// The job's own `max` does not admit the request. No victim can change that.
std::optional<Verdict> over_job_max(const DecisionContext& context) {
  const Model& model = context.model;
  const std::optional<JobShortfall> shortfall = job_shortfall(model, context.request);
  if (!shortfall) return std::nullopt;
  const std::string resource(model.resource_name(shortfall->resource));
  if (shortfall->asked > shortfall->bound) {
    return Verdict{Outcome::impossible, "impossible",
                   "the job's max is " + format_total(shortfall->bound) + ' ' + resource +
                       ", the request alone needs " + format_total(shortfall->asked)};
  }
  return Verdict::wait("job-max", "the job would hold " + format_total(shortfall->would_be) + ' ' + resource +
                                      ", its max is " + format_total(shortfall->bound));
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
  const QueueShortfall& first = first_by_name(model, shortfall);
  return "queue " + quote(model.name(model.queues[first.queue].name)) + " allows " +
         format_total(first.bound) + ' ' + std::string(model.resource_name(first.resource)) +
         ", the request alone needs " + format_total(placer.asked(first.resource));
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

// The space as it is, on the nodes that the request may use now.
class UsableSpace : public Space {
 public:
  explicit UsableSpace(DecisionContext& context)
      : Space(context.rule_context, context.group_index->nodes(), Fill::as_it_is, &context.work) {
    mark_usable(*this, context.rule_context, context.query.avoid, Usable::now);
  }
};

// What the decision about a job starts from.
struct JobNeeds {
  explicit JobNeeds(DecisionContext& context)
      : space(context),
        placer(context.rule_context, space.table(), context.work),
        one_node(context.profile.one_node(context.rule_context)),
        needs(context.rule_context, placer, one_node) {}
  UsableSpace space;
  const Placer placer;
  const OneNode one_node;
  const RequestNeeds needs;
};

}  // namespace

Verdict decide_job(DecisionContext& context, PlanBuilder& builder) {
  if (std::optional<Verdict> nothing = nothing_to_decide(context)) return std::move(*nothing);
  if (std::optional<Verdict> over = over_job_max(context)) return std::move(*over);
  JobNeeds of_job(context);
  auto& [space, placer, one_node, needs] = of_job;
  Placement placement;
  if (is_admitted(context) && place_in_free_space(context, needs, placer, space, placement)) {
    builder.serve_now(placement, placer);
    return {Outcome::fits, "fits", "it fits into free space; no job has to be preempted"};
  }
  if (std::optional<Verdict> unfit = unfit_for_empty_nodes(context, placer)) return std::move(*unfit);
  if (std::optional<Verdict> off = switched_off(context)) return std::move(*off);
  if (std::optional<Verdict> barred = barred_from_preempting(context)) return std::move(*barred);
  builder.count_units();
  if (std::optional<Verdict> refused = refused_by_profile(context)) return std::move(*refused);
  if (std::optional<Verdict> wait = worth_waiting(context, needs)) return std::move(*wait);
  if (std::optional<Verdict> refused = refused_by_budget(context)) return std::move(*refused);
  if (context.query.triggers_only) return {Outcome::preempt, {}, "some job has to be preempted"};
  const Objective objective(context.rule_context);
  const RuleList<Cap> kept = caps(context.rule_context);
  const VictimProblem problem{needs, &placer, space, one_node, objective, kept};
  if (std::optional<Verdict> known = cached_victims(context, problem, builder)) return std::move(*known);
  const std::vector<const Unit*> eligible = eligible_units(context, needs, space, builder);
  const Reclaim reclaim(context.rule_context);
  if (std::none_of(eligible.begin(), eligible.end(), [&](const Unit* unit) { return reclaim.binds(*unit); }))
    return choose_victims(context, problem, eligible, builder);
  UsableSpace at_home(context);
  for (std::size_t i = 0; i < at_home.size(); ++i) {
    if (at_home.usable()[i] != 0 && !reclaim.may_use(at_home.node(i).id)) at_home.usable()[i] = 0;
  }
  const VictimProblem bound{needs, &placer, at_home, one_node, objective, kept};
  return choose_victims(context, problem, eligible, builder, &bound);
}

void explain_units(DecisionContext& context, Plan& plan) {
  const JobNeeds of_job(context);
  PlanBuilder builder(context);
  const std::vector<const Unit*> eligible =
      explained_eligible_units(context, of_job.needs, of_job.space, builder);
  std::set<TaskId> gone;
  for (const PlannedVictim& victim : plan.victims) gone.insert(victim.tasks.begin(), victim.tasks.end());
  builder.list_all_but(eligible, gone);
  builder.explain_units_of(plan);
}

namespace {

constexpr std::uint64_t kFreeSpaceWork = 5'000'000;  // for requests that are tried without victims

bool fits_free_space(DecisionContext& context) {
  if (!is_admitted(context) || over_job_max(context)) return false;
  UsableSpace space(context);
  context.work.spend(50 + space.size() / 2);
  const Placer placer(context.rule_context, space.table(), context.work);
  const RequestNeeds needs(context.rule_context, placer, context.profile.one_node(context.rule_context));
  Placement placement;
  return place_in_free_space(context, needs, placer, space, placement);
}

// Tasks of a job that is not a gang start independently of each other: the first that fits without victims is
// the request, with as many of those equal to it as fit too. Only then may a job be preempted for the others.
void choose_request(DecisionContext& context) {
  if (context.request.purpose != Purpose::job || nothing_to_decide(context)) return;
  const JobId job = context.request.job;
  const std::vector<FreeStart> starts = free_starts(context.effective, job);
  if (starts.empty()) return;
  Request otherwise = std::move(context.request);
  const WorkShare share(context.work, kFreeSpaceWork);
  const auto fits = [&](const FreeStart& start, std::uint64_t tasks) {
    context.request = request_from(context.effective, job, start, tasks);
    return fits_free_space(context);
  };
  for (const FreeStart& start : starts) {
    if (context.work.ended()) break;
    if (fits(start, start.tasks)) return;
    if (start.tasks < 2 || !fits(start, 1)) continue;
    std::uint64_t fitting = 1;
    std::uint64_t too_many = start.tasks;
    while (too_many - fitting > 1 && !context.work.ended()) {
      const std::uint64_t tasks = fitting + (too_many - fitting) / 2;
      (fits(start, tasks) ? fitting : too_many) = tasks;
    }
    context.request = request_from(context.effective, job, start, fitting);
    return;
  }
  context.request = std::move(otherwise);
}

constexpr std::size_t kMostHoldersTried = 16;

// The entries that hold or block space of the group, ascending.
std::vector<std::uint64_t> holders(const DecisionContext& context) {
  const InFlight& known = context.rule_context.in_flight;
  std::vector<std::uint64_t> entries;
  known.each_hold([&](const InFlight::Hold& hold) {
    if (context.model.jobs[hold.job].group == context.request.group) entries.push_back(hold.entry);
  });
  known.each_blocked([&](const InFlight::Blocked& each) {
    if (each.group == context.request.group) entries.push_back(each.entry);
  });
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

// Whether the request would fit if these entries held nothing.
bool fits_without(DecisionContext& context, const std::vector<std::uint64_t>& entries) {
  const RuleContext& now = context.rule_context;
  const auto gone = [&](std::uint64_t entry) {
    return std::binary_search(entries.begin(), entries.end(), entry);
  };
  InFlight left;
  now.in_flight.each_hold([&](const InFlight::Hold& hold) { left.add(hold); });
  now.in_flight.each_room([&](const InFlight::Room& room) {
    if (gone(room.entry)) return;
    const bool lent = now.in_flight.lends(room.entry);
    auto other = std::make_shared<InFlight::Room>(room);
    if (lent) other->surplus.clear();
    std::erase_if(other->blocked, [&](const InFlight::Blocked& each) { return lent && !each.whole_node; });
    left.put(std::move(other));
  });
  const GroupUsage usage = context.group_index->usage().beside(left);
  const RuleContext other{now.effective, now.request, now.now, {}, usage, left, now.units, now.fair};
  Space space(other, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  mark_usable(space, other, context.query.avoid, Usable::now);
  context.work.spend(50 + space.size() / 2);
  now.in_flight.each_hold([&](const InFlight::Hold& hold) {
    if (!gone(hold.entry) || context.model.jobs[hold.job].group != context.request.group) return;
    for (const TaskId task : hold.tasks) space.release(task);
  });
  const Placer placer(other, space.table(), context.work);
  return RequestNeeds(other, placer, OneNode::anywhere).are_met(space, {});
}

// `job 'q' (entry 3)`.
std::string holder_name(const DecisionContext& context, std::uint64_t entry) {
  const InFlight& known = context.rule_context.in_flight;
  const std::string number = "entry " + std::to_string(entry);
  if (const InFlight::Hold* hold = known.hold_of(entry))
    return "job " + quote(context.model.job_name(hold->job)) + " (" + number + ')';
  QueueId queue;
  known.each_blocked([&](const InFlight::Blocked& each) {
    if (each.entry == entry && each.queue) queue = each.queue;
  });
  if (!queue) return number;
  return "queue " + quote(context.model.name(context.model.queues[queue].name)) + " (" + number + ')';
}

// Adds to the reason whose space the request would fit into, if it is other requests' that keeps it waiting.
void name_holders(DecisionContext& context, Verdict& verdict) {
  if (verdict.outcome != Outcome::wait || verdict.rule == "not-waiting" || context.query.triggers_only)
    return;
  std::vector<std::uint64_t> entries = holders(context);
  if (entries.empty() || entries.size() > kMostHoldersTried || !is_admitted(context)) return;
  const WorkShare share(context.work, kFreeSpaceWork);
  if (!fits_without(context, entries) || context.work.ended()) return;
  // Leave only those without which it does not fit.
  for (std::size_t i = entries.size(); i-- > 0;) {
    std::vector<std::uint64_t> fewer = entries;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (!fewer.empty() && fits_without(context, fewer)) entries = std::move(fewer);
  }
  verdict.reason += "; it would fit into space that is held for ";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) verdict.reason += i + 1 == entries.size() ? " and " : ", ";
    verdict.reason += holder_name(context, entries[i]);
  }
}

}  // namespace

Plan decide(const DecisionInput& input, const Query& query) {
  DecisionContext context(input, query);
  choose_request(context);
  PlanBuilder builder(context);
  if (context.request.is_claim()) return builder.finish(decide_claim(context, builder));
  if (context.request.is_relief()) return builder.finish(decide_relief(context, builder));
  Verdict verdict = decide_job(context, builder);
  name_holders(context, verdict);
  return builder.finish(std::move(verdict));
}

}  // namespace cede
