// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "base/text.h"
#include "policy/composition.h"
#include "search/choose_victims.h"
#include "search/decide.h"
#include "search/plan_builder.h"
#include "search/triggers.h"

namespace cede {

namespace {

// Why the queue cannot have the nodes, whatever runs there; nullopt if it can.
std::optional<Verdict> unclaimable(const DecisionContext& context) {
  const Model& model = context.model;
  const Request& request = context.request;
  const auto queue_name = [&](QueueId queue) { return quote(model.name(model.queues[queue].name)); };
  const auto node_name = [&](NodeId node) { return quote(model.name(model.nodes[node].name)); };
  if (!context.effective.preemption_on(request.queue))
    return Verdict::wait("off", "preemption is switched off for queue " + queue_name(request.queue));
  for (const NodeId node : request.claimed) {
    if (model.nodes[node].state != NodeState::up)
      return Verdict::wait("nodes-unavailable", "claimed node " + node_name(node) + " is not up");
  }
  std::optional<Verdict> claimed;
  context.rule_context.in_flight.each_blocked([&](const InFlight::Blocked& each) {
    // A queue's claim does not block the queues above and below it.
    if (claimed || !each.whole_node || !each.queue || model.is_below(request.queue, each.queue) ||
        model.is_below(each.queue, request.queue) ||
        std::find(request.claimed.begin(), request.claimed.end(), each.node) == request.claimed.end())
      return;
    claimed = Verdict::wait(
        "claim-blocked", "node " + node_name(each.node) + " is claimed by queue " + queue_name(each.queue));
  });
  return claimed;
}

// All units, except the single tasks of an elastic job that is also a whole unit: it leaves claimed nodes as
// a whole.
std::vector<const Unit*> units_that_leave_whole(const DecisionContext& context) {
  std::set<std::uint32_t> elastic;  // jobs
  for (const Unit* unit : context.units()) {
    if (unit->whole_elastic) elastic.insert(unit->job.value);
  }
  std::vector<const Unit*> units = units_in_order(context);
  std::erase_if(units,
                [&](const Unit* unit) { return elastic.contains(unit->job.value) != unit->whole_elastic; });
  return units;
}

// The units that must leave. The plan gets the units that a rule excludes and the units that need not leave.
std::vector<const Unit*> units_in_the_way(const DecisionContext& context, PlanBuilder& builder) {
  const Model& model = context.model;
  const RuleList<EligibilityRule> rules = eligibility_rules(context.rule_context);
  std::vector<NodeId> claimed = context.request.claimed;
  std::sort(claimed.begin(), claimed.end());
  std::vector<const Unit*> victims;
  std::vector<const Unit*> others;
  for (const Unit* unit : units_that_leave_whole(context)) {
    const bool here = std::any_of(unit->tasks.begin(), unit->tasks.end(), [&](TaskId task) {
      return std::binary_search(claimed.begin(), claimed.end(), model.tasks.core(task).node);
    });
    if (!here || model.is_below(model.jobs[unit->job].queue, context.request.queue)) {
      others.push_back(unit);
      continue;
    }
    std::string why;
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const auto& each) { return each->excludes(*unit, &why); });
    if (rule == rules.end()) {
      victims.push_back(unit);
    } else {
      builder.exclude(*unit, (*rule)->name(), std::move(why));
    }
  }
  builder.list_not_needed(others, {});
  return victims;
}

}  // namespace

Verdict decide_claim(DecisionContext& context, PlanBuilder& builder) {
  if (std::optional<Verdict> no = unclaimable(context)) return std::move(*no);
  builder.count_units();
  const std::vector<const Unit*> victims = units_in_the_way(context, builder);
  if (std::optional<Verdict> refused = refused_by_budget(context)) return std::move(*refused);
  for (const auto& cap : caps(context.rule_context)) {
    std::string over;
    if (cap->name() == "budget" && cap->breaks(victims, &over))
      return Verdict::wait("budget", std::move(over));
  }
  if (builder.any_excluded()) {
    builder.list_not_needed(victims, {});
    const Exclusion& first = builder.first_excluded();
    return Verdict::wait("claim-blocked", "job " + quote(context.model.job_name(first.job)) +
                                              " stays on a claimed node (" + std::string(first.rule) +
                                              "): " + first.values);
  }
  if (victims.empty()) {
    builder.serve_now();
    return {Outcome::fits, "fits", "no other job is on the claimed nodes"};
  }
  builder.take_only(victims);
  return builder.preempt();
}

}  // namespace cede
