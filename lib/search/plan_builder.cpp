// SPDX-License-Identifier: MIT
#include "search/plan_builder.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/text.h"
#include "placement/node_attributes.h"
#include "policy/reclaim.h"
#include "search/choose_victims.h"

namespace cede {

namespace {

// The search keeps `one-node` by the subproblems it looks at, so it is not among the caps. Returns the number
// of nodes the victims would be on without it; 0 if it is not the obstacle.
std::size_t nodes_needed(DecisionContext& context, const VictimProblem& problem,
                         const std::vector<const Unit*>& eligible) {
  if (!problem.placer || problem.one_node == OneNode::anywhere) return 0;
  const Placer& placer = *problem.placer;
  // Room for one task is on one node anyway. Only resources that the group counts could come from elsewhere.
  const bool domain = placer.need().require().exclusive == Exclusive::domain;
  if (context.request.tasks.size() == 1 && !domain && placer.has_group_room(problem.space)) return 0;
  const RequestNeeds needs(context.rule_context, placer, OneNode::anywhere);
  const VictimProblem anywhere{needs,       &placer, problem.space, OneNode::anywhere, problem.objective,
                               problem.caps};
  const SearchResult found = search_candidates(context, anywhere, eligible);
  std::set<NodeId> nodes;
  for (const Unit* unit : found.best ? found.best->victims : std::vector<const Unit*>{}) {
    for (const TaskId task : unit->tasks) nodes.insert(context.model.tasks.core(task).node);
  }
  return nodes.size();
}

void release_all(Space& space, const std::vector<const Unit*>& units) {
  for (const Unit* unit : units) {
    for (const TaskId task : unit->tasks) {
      if (space.holds(task)) space.release(task);
    }
  }
}

// Whether the request would fit without these units if a missing topology were the right one.
bool lacks_topology(DecisionContext& context, const std::vector<const Unit*>& gone) {
  const Placer placer(context.rule_context, context.group_index->nodes(), context.work);
  if (!placer.asks_topology()) return false;
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  mark_usable(space, context.rule_context, context.query.avoid, Usable::now);
  release_all(space, gone);
  return queue_shortfalls(context.rule_context, space.usage()).empty() &&
         placer.fits(space) != PlacementResult::placed && fits_if_topology_known(context, placer, space);
}

// Names the cap that alone is in the way, and by how much at least.
Verdict explain_by_caps(DecisionContext& context, const VictimProblem& problem,
                        const std::vector<const Unit*>& eligible) {
  for (std::size_t i = 0; i < problem.caps.size() && !context.work.ended(); ++i) {
    const SearchResult without = search_candidates(context, problem, eligible, i);
    std::string why;
    if (without.best && problem.caps[i].breaks(without.best->victims, &why))
      return Verdict::wait(problem.caps[i].name(), std::move(why));
  }
  return Verdict::wait("no-set", "no allowed set of the eligible units makes room for it");
}

// The needs are not met even with all eligible units gone.
Verdict explain_by_needs(DecisionContext& context, const VictimProblem& problem,
                         const std::vector<const Unit*>& eligible) {
  if (may_reuse_answers(context, problem)) {
    const CapacityProblem capacity_problem(context, problem);
    if (const std::optional<NoRoom> no =
            AnswerCache(capacity_problem.problem(), context.query).no_room(eligible))
      return no_room_verdict(*no);
  }
  release_all(problem.space, eligible);
  if (problem.placer && lacks_topology(context, eligible))
    return Verdict::wait("topology-unknown", kTopologyUnknown);
  return Verdict::wait("no-set", "even with all " + std::to_string(eligible.size()) +
                                     " eligible units gone " + (problem.placer ? "it does not fit: " : "") +
                                     problem.needs.missing(problem.space));
}

}  // namespace

bool fits_if_topology_known(DecisionContext& context, const Placer& placer, const Space& space) {
  return placer.asks_topology() &&
         Placer(context.rule_context, space.table(), context.work, Unknown::passes).fits(space) ==
             PlacementResult::placed;
}

Verdict explain_no(DecisionContext& context, const VictimProblem& problem, const SearchResult& failed,
                   const std::vector<const Unit*>& eligible) {
  if (!failed.proven)
    return Verdict::wait("undecided", "no set was found within the allowed work; there may be one");
  if (const std::size_t nodes = nodes_needed(context, problem, eligible); nodes > 0) {
    return Verdict::wait("one-node", "victims on one node do not make room for it; it takes those of " +
                                         std::to_string(nodes));
  }
  return failed.needs_met ? explain_by_caps(context, problem, eligible)
                          : explain_by_needs(context, problem, eligible);
}

Verdict no_room_verdict(const NoRoom& found) {
  return Verdict::wait("no-set", "even with all " + std::to_string(found.units) +
                                     " eligible units gone it does not fit: " + found.missing);
}

std::int64_t cost_of(const RuleContext& rule_context, const Unit& unit) {
  std::int64_t sum = 0;
  for (const CostPart& part : composition(rule_context.effective.profile()).price(rule_context, unit))
    sum += part.value;
  return sum;
}

// Most names differ right after their common prefix, so the next eight bytes are compared first, as one
// number.
std::vector<const Unit*> by_name(const Model& model, const std::vector<const Unit*>& units) {
  struct Named {
    std::uint64_t head = 0;
    std::string_view name;
    const Unit* unit = nullptr;
  };
  std::vector<Named> named;
  named.reserve(units.size());
  for (const Unit* unit : units) named.push_back({0, model.job_name(unit->job), unit});
  std::size_t common = units.empty() ? 0 : named.front().name.size();
  for (const Named& each : named) {
    const auto [end, unused] =
        std::mismatch(each.name.begin(), each.name.end(), named.front().name.begin(),
                      named.front().name.begin() + static_cast<std::ptrdiff_t>(common));
    common = static_cast<std::size_t>(end - each.name.begin());
  }
  for (Named& each : named) {
    for (std::size_t i = 0; i < 8; ++i) {
      const bool there = common + i < each.name.size();
      each.head = each.head << 8 | (there ? static_cast<unsigned char>(each.name[common + i]) : 0U);
    }
  }
  std::sort(named.begin(), named.end(), [](const Named& a, const Named& b) {
    if (a.unit->hold != b.unit->hold) return a.unit->hold < b.unit->hold;  // holds last
    if (a.head != b.head) return a.head < b.head;
    if (a.unit->job == b.unit->job) return a.unit < b.unit;
    return a.name < b.name;
  });
  std::vector<const Unit*> out;
  out.reserve(named.size());
  for (const Named& each : named) out.push_back(each.unit);
  return out;
}

namespace {

// How long the victims of a hold still take. What an entry promised for them holds for a request that takes
// its hold.
ExitTime time_left(const RuleContext& rule_context, const InFlight::Hold& hold) {
  const EffectiveSettings& effective = rule_context.effective;
  Time expected = rule_context.now;
  Time latest = std::max(hold.latest_start, rule_context.now);
  for (const InFlight::Awaited& victim : hold.awaited) {
    const VictimExit exit = victim_exit(effective, victim.job);
    const Duration whole = exit_time(effective, victim.job, exit, Purpose::job).expected;
    expected = std::max(expected, victim.ends != kNoTime ? victim.ends : victim.asked + whole);
    if (victim.ends != kNoTime) latest = std::max(latest, victim.ends);
  }
  if (hold.latest_start == kNoTime) return {expected - rule_context.now, kNoDuration};
  return {std::min(expected, latest) - rule_context.now, latest - rule_context.now};
}

}  // namespace

void write_victims(const RuleContext& rule_context, const std::vector<const Unit*>& units, Plan& plan) {
  const Model& model = rule_context.model();
  const Composition& profile = composition(rule_context.effective.profile());
  std::vector<PlannedVictim>& victims = plan.victims;
  victims.clear();
  victims.reserve(units.size());
  Duration expected = 0;
  Duration latest = 0;
  const bool no_holds = !rule_context.in_flight.any_holds();
  for (const Unit* unit : units) {
    if (victims.empty() || victims.back().job != unit->job || victims.back().hold != unit->hold)
      victims.emplace_back();
    PlannedVictim& victim = victims.back();
    victim.job = unit->job;
    victim.hold = unit->hold;
    victim.tasks.insert(victim.tasks.end(), unit->tasks.begin(), unit->tasks.end());
    // A job with a hold has more tasks than those of its units.
    victim.whole_job = unit->whole_job && no_holds && victim.tasks.size() == unit->tasks.size();
    std::vector<CostPart> parts = profile.price(rule_context, *unit);
    for (const CostPart& part : parts) victim.cost += part.value;
    if (victim.cost_parts.empty()) {
      victim.cost_parts = std::move(parts);
    } else {
      for (std::size_t i = 0; i < parts.size(); ++i) victim.cost_parts[i].value += parts[i].value;
    }
    if (unit->hold != 0) {  // its victims are leaving already, and the request waits for them as well
      const InFlight::Hold* hold = rule_context.in_flight.hold(unit->job);
      if (!hold || !hold->waits) continue;
      const ExitTime left = time_left(rule_context, *hold);
      expected = std::max(expected, left.expected);
      if (latest != kNoDuration)
        latest = left.latest == kNoDuration ? kNoDuration : std::max(latest, left.latest);
      continue;
    }
    const VictimExit exit = victim_exit(rule_context.effective, unit->job);
    victim.action = exit.action;
    victim.then = exit.then;
    victim.unsaved = exit.unsaved;
    victim.requeue = exit.requeue;
    const ExitTime time = exit_time(rule_context.effective, unit->job, exit, rule_context.request.purpose);
    expected = std::max(expected, time.expected);
    if (latest != kNoDuration)
      latest = time.latest == kNoDuration ? kNoDuration : std::max(latest, time.latest);
  }
  for (PlannedVictim& victim : victims) {
    plan.cost += victim.cost;
    if (victim.whole_job) continue;
    std::sort(victim.tasks.begin(), victim.tasks.end());
    std::size_t placed = 0;
    const JobCore& job = model.jobs[victim.job];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      placed += model.tasks.core(TaskId{job.first_task.value + k}).node ? 1 : 0;
    }
    victim.whole_job = victim.hold == 0 && victim.tasks.size() == placed;
  }
  plan.expected_start = rule_context.now + expected;
  plan.latest_start = latest == kNoDuration ? kNoTime : rule_context.now + latest;
}

namespace {

// Whether the first `entries` criteria are optimal, given that those of the victims are. A placement
// criterion is known to be optimal only if it is zero.
bool proven_by_itself(const std::vector<Criterion>& objective, std::uint32_t entries) {
  for (std::uint32_t i = 0; i < entries; ++i) {
    const bool of_placement = objective[i].name == "preferences" || objective[i].name == "borrowed";
    if (of_placement && objective[i].number != 0) return false;
  }
  return true;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

PlanBuilder::PlanBuilder(const DecisionContext& context) : context_(context) {
  const Purpose purpose = context.request.purpose;
  plan_.snapshot = context.input.model;
  plan_.in_flight = context.input.in_flight;
  plan_.policies = context.input.policies;
  plan_.protect = context.rule_context.protect;
  plan_.avoid = context.query.avoid;
  plan_.allowance = context.query.allowance;
  plan_.now = context.query.now;
  plan_.subject = context.request;
  plan_.policy = context.policy.name;
  plan_.priced = leads_with_price(context.rule_context);
  plan_.profile = std::string(to_word(context.policy.profile, kProfiles));
  plan_.cause = std::string(context.profile.cause(context.rule_context));
  if (purpose == Purpose::relief_node) plan_.cause = "overcommit";
  if (purpose == Purpose::relief_queue || purpose == Purpose::relief_job) plan_.cause = "limit";
}

void PlanBuilder::explain_units_later() { plan_.units_explained = false; }

void PlanBuilder::exclude(const Unit& unit, std::string_view rule, std::string why) {
  plan_.exclusions.push_back({unit.job, unit.tasks, unit.whole_job, rule, std::move(why)});
}

void PlanBuilder::exclude_leaving() {
  const Model& model = context_.model;
  std::map<std::string_view, std::vector<TaskId>> leaving;  // by job
  for (const TaskId task : context_.rule_context.in_flight.leaving) {
    const TaskCore& core = model.tasks.core(task);
    if (!core.node && model.jobs[core.job].group == context_.request.group)
      leaving[model.job_name(core.job)].push_back(task);
  }
  for (auto& [unused, tasks] : leaving) {
    const JobId job = model.tasks.core(tasks.front()).job;
    const bool whole = tasks.size() == model.jobs[job].task_rows;
    plan_.exclusions.push_back({job, std::move(tasks), whole, "held", "it gives way already"});
  }
}

void PlanBuilder::list_not_needed(const std::vector<const Unit*>& eligible,
                                  const std::vector<const Unit*>& taken) {
  if (!plan_.units_explained) return;
  std::set<TaskId> gone;
  for (const Unit* unit : taken) gone.insert(unit->tasks.begin(), unit->tasks.end());
  list_all_but(eligible, gone);
}

void PlanBuilder::list_all_but(const std::vector<const Unit*>& eligible, const std::set<TaskId>& gone) {
  for (const Unit* unit : eligible) {
    const bool stays = std::any_of(unit->tasks.begin(), unit->tasks.end(),
                                   [&](TaskId task) { return !gone.contains(task); });
    if (stays) plan_.not_needed.push_back({unit->job, unit->tasks, unit->whole_job, "not-needed", {}});
  }
}

void PlanBuilder::serve_now() {
  plan_.expected_start = plan_.latest_start = context_.query.now;
  plan_.optimal = true;
}

void PlanBuilder::serve_now(const Placement& placement, const Placer& placer) {
  serve_now();
  plan_.placement = placement.tasks;
  plan_.topology_met = placer.need().hard_names();
  plan_.topology_missed = placement.missed;
}

void PlanBuilder::take(SearchResult found, const std::vector<const Unit*>& eligible, const Placer* placer) {
  VictimSet& best = *found.best;
  plan_.placement = std::move(best.placement.tasks);
  plan_.objective = std::move(best.objective_value.shown);
  if (placer) list_preferences(std::move(best.placement.missed), placer->need());
  set_proven(found, placer);
  plan_.optimal = found.proven || is_proven_up_to_victims();
  if (!best.in_name_order) best.victims = by_name(context_.model, best.victims);
  const Reclaim reclaim(context_.rule_context);
  if (reclaim.applies() && std::any_of(best.victims.begin(), best.victims.end(),
                                       [&](const Unit* unit) { return reclaim.takes_back(*unit); }))
    plan_.cause = "reclaim";
  write_victims(context_.rule_context, best.victims, plan_);
  set_bound(found, eligible);
  if (!plan_.optimal) set_gap(found);
  list_alternatives(found.others);
  list_not_needed(eligible, best.victims);
}

void PlanBuilder::take_only(const std::vector<const Unit*>& victims) {
  plan_.optimal = true;
  plan_.objective = Objective(context_.rule_context).objective_value(victims, {}).shown;
  plan_.proven = static_cast<std::uint32_t>(plan_.objective.size());
  write_victims(context_.rule_context, by_name(context_.model, victims), plan_);
  plan_.bound = plan_.cost;
}

void PlanBuilder::take_partly(const std::vector<const Unit*>& victims, const Objective& objective,
                              bool partial) {
  plan_.objective = objective.objective_value(victims, {}).shown;
  plan_.proven = 0;
  write_victims(context_.rule_context, by_name(context_.model, victims), plan_);
  plan_.bound = 0;
  plan_.partial = partial;
  set_gap({});
}

bool PlanBuilder::is_proven_up_to_victims() const {
  const auto victims = std::find_if(plan_.objective.begin(), plan_.objective.end(),
                                    [](const Criterion& each) { return each.name == "victims"; });
  return plan_.proven > static_cast<std::size_t>(victims - plan_.objective.begin());
}

void PlanBuilder::list_preferences(std::vector<std::string> missed, const EffectiveRequirement& need) {
  plan_.topology_met = need.hard_names();
  for (std::size_t i = 0; i < need.preferences(); ++i) {
    const std::string& name = need.preference_name(i);
    if (!holds(missed, name) && !holds(plan_.topology_met, name)) plan_.topology_met.push_back(name);
  }
  plan_.topology_missed = std::move(missed);
}

void PlanBuilder::set_proven(const SearchResult& found, const Placer* placer) {
  if (!found.proven) {
    const std::uint32_t at_least = plan_.objective.front().number == 0 ? 1 : 0;
    plan_.proven = std::max(static_cast<std::uint32_t>(found.proven_entries), at_least);
    return;
  }
  plan_.proven = static_cast<std::uint32_t>(plan_.objective.size());
  if (!found.placement_proven) {
    // Zero is the best value of a placement criterion.
    while (plan_.proven > 0 && !proven_by_itself(plan_.objective, plan_.proven)) --plan_.proven;
  }
  if (!placer) return;
  // Nodes of segments are chosen for room, so the placement criteria may not be optimal.
  const auto& entries = placer->need().require().network;
  const bool segments = std::any_of(entries.begin(), entries.end(),
                                    [](const NetworkRequirement& entry) { return entry.segment > 0; });
  const auto at = std::find_if(plan_.objective.begin(), plan_.objective.end(),
                               [](const Criterion& each) { return each.name == "preferences"; });
  if (segments) plan_.proven = static_cast<std::uint32_t>(at - plan_.objective.begin());
}

void PlanBuilder::set_bound(const SearchResult& found, const std::vector<const Unit*>& eligible) {
  plan_.bound = plan_.cost;
  if (found.price_bound) {
    plan_.bound = *found.price_bound;
  } else if (!found.proven || !plan_.priced) {  // otherwise a proven best set is its own bound
    // At least one unit must go, so the price of the cheapest is a bound. With many units it is not worth
    // computing.
    if (!plan_.units_explained) plan_.bound = 0;
    for (std::size_t i = 0; i < eligible.size() && plan_.bound > 0; ++i)
      plan_.bound = std::min(plan_.bound, cost_of(context_.rule_context, *eligible[i]));
  }
}

// Where the search knows no bound, a set takes nothing at least.
void PlanBuilder::set_gap(const SearchResult& found) {
  const Criterion& open = plan_.objective[plan_.proven];
  Criterion bound;
  bound.kind = open.kind;
  if (found.gap_bound && found.gap_bound->name == open.name) bound = *found.gap_bound;
  bound.name = open.name;
  plan_.gap_bound = std::move(bound);
}

void PlanBuilder::list_alternatives(const std::vector<VictimSet>& others) {
  for (const VictimSet& other : others) {
    Alternative alternative;
    alternative.victims = other.objective_value.names;
    for (const Unit* unit : other.victims) alternative.cost += cost_of(context_.rule_context, *unit);
    const std::vector<Criterion>& shown = other.objective_value.shown;
    std::size_t& at = alternative.criterion;
    while (at < shown.size() && compare(plan_.objective[at], shown[at]) == 0) ++at;
    alternative.worse = at < shown.size() ? std::string(shown[at].name) : "names";
    if (at < shown.size()) alternative.value = shown[at];
    plan_.alternatives.push_back(std::move(alternative));
  }
}

Verdict PlanBuilder::preempt() const {
  const Model& model = context_.model;
  const Request& request = context_.request;
  const bool one = plan_.victims.size() == 1;
  std::string text = std::to_string(plan_.victims.size());
  if (request.is_claim()) {
    text += one ? " job leaves" : " jobs leave";
    text += " the nodes that queue " + quote(model.name(model.queues[request.queue].name)) + " claims";
  } else {
    text += one ? " job gives way to " : " jobs give way to ";
    text += request.is_relief() ? "relieve " + relief_target(context_) : quote(model.job_name(request.job));
    if (plan_.cause == "reclaim") text += ", which takes back nodes of its queue's home";
  }
  return {Outcome::preempt, {}, std::move(text)};
}

Plan PlanBuilder::finish(Verdict verdict) {
  plan_.outcome = verdict.outcome;
  plan_.rule = verdict.rule;
  plan_.reason = std::move(verdict.reason);
  plan_.work = context_.search_spent;
  plan_.spent = context_.work.spent();
  return std::move(plan_);
}

void PlanBuilder::explain_units_of(Plan& plan) {
  plan.exclusions = std::move(plan_.exclusions);
  plan.not_needed = std::move(plan_.not_needed);
  plan.units_explained = true;
}

}  // namespace cede
