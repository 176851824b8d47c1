// SPDX-License-Identifier: MIT
// Checks the answer no: it names the first trigger that refuses; it is `impossible` or `nodes-unavailable`
// only if even empty nodes are not enough; and a search that failed had at least one unit to take. A check
// rejects the answer only if the fault is certain.
#include <algorithm>
#include <string_view>

#include "verify/eligibility.h"
#include "verify/plan_checks.h"
#include "verify/topology.h"
#include "verify/triggers.h"

namespace cede {

namespace {

bool is_one_of(std::string_view rule, std::initializer_list<std::string_view> rules) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

// Nothing was decided about the request at all.
bool is_undecidable(std::string_view rule) { return is_one_of(rule, {"not-waiting", "in-progress"}); }

// Answers after the last trigger. `budget` is both a trigger and a cap and therefore not among them.
bool is_after_triggers(std::string_view rule) {
  return is_one_of(rule, {"no-victims", "no-set", "undecided", "max-victims", "value-exceeded",
                          "below-guarantee", "no-gain", "one-node"});
}

// Triggers that refused_by() states completely.
bool is_certain_trigger(std::string_view rule) {
  return is_one_of(rule, {"not-waiting", "off", "may-not-preempt", "no-lower-priority", "no-quota-preemption",
                          "queue-max", "quota-min", "quota-max", "not-starving", "pending-delay",
                          "attempt-interval", "over-guarantee", "overcommit-grace"});
}

// Whether the request is larger than a `max` on its path, its job's own, or than what its group counts.
bool exceeds_limits(const PlanFacts& facts) {
  const Model& model = facts.model;
  const auto exceeds = [&](ShapeId limits) {
    const ResourceView list = model.shape(limits);
    return std::any_of(list.begin(), list.end(),
                       [&](const ResourceAmount& most) { return facts.asked(most.resource) > most.amount; });
  };
  const bool own_only = facts.is(Profile::quota) && !facts.flag(Setting::check_parent_quota, facts.queue());
  for (QueueId queue = facts.queue(); queue; queue = model.queues[queue].parent) {
    if (exceeds(model.queues[queue].max)) return true;
    if (own_only) break;
  }
  return exceeds(model.groups[facts.group()].resources) ||
         exceeds(model.job_extras[facts.requester().value].max);
}

// Whether some task of the request is too large for each of these nodes, even if the node is empty.
template <class Usable>
bool is_too_large(const PlanFacts& facts, Usable usable) {
  const Model& model = facts.model;
  return std::any_of(facts.wanted().begin(), facts.wanted().end(), [&](const PlanFacts::Wanted& task) {
    const NameId required = model.tasks.extras(task.row).required_node;
    const ResourceView shape = model.shape(model.tasks.core(task.row).resources);
    bool fits = false;
    model.nodes.for_each([&](NodeId id, const NodeRow& node) {
      if (fits || node.group != facts.group()) return;
      if ((required != kNoName && required != node.name) || !usable(id)) return;
      fits = std::all_of(shape.begin(), shape.end(), [&](const ResourceAmount& entry) {
        return facts.counted_by_group(entry.resource) ||
               entry.amount <= amount_of(model.shape(node.resources), entry.resource);
      });
    });
    return !fits;
  });
}

// Whether a unit holds something that the request could use: what it asks for, on a node that it may use or
// wherever the group counts it; exclusive use of nodes; or room in a full queue on the request's path.
bool may_be_of_use(const PlanFacts& facts, const UsableNodes& usable, const VictimUnit& unit) {
  const Model& model = facts.model;
  const RequirementId unit_requirement = model.job_extras[unit.job.value].require;
  if (unit.hold != 0 || facts.require().exclusive != Exclusive::none) return true;
  if (unit_requirement && model.requirements[unit_requirement.value]->exclusive != Exclusive::none)
    return true;
  if (makes_queue_room(facts, unit)) return true;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    const bool here = usable.fault(model.tasks.core(task).node).empty();
    return std::any_of(facts.asked().begin(), facts.asked().end(), [&](const auto& asked) {
      return asked.second > 0 && facts.amount(task, asked.first) > 0 &&
             (here || facts.counted_by_group(asked.first));
    });
  });
}

// Likewise for relief: something of what its target has too much of.
bool may_relieve(const PlanFacts& facts, const PlanFacts::Amounts& over, const VictimUnit& unit) {
  return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    return is_of_target(facts, task) && std::any_of(over.begin(), over.end(), [&](const auto& each) {
             return facts.amount(task, each.first) > 0;
           });
  });
}

bool has_candidate(const PlanFacts& facts) {
  const EligibilityTerms terms(facts);
  const UsableNodes usable(facts);
  PlanFacts::Amounts over;
  if (facts.subject.is_relief()) over = over_limit(facts, held_by_target(facts));
  bool found = false;
  facts.model.jobs.for_each([&](JobId id, const JobCore& job) {
    if (found || job.group != facts.group()) return;
    for (const VictimUnit& unit : JobUnits(facts.effective, id, *facts.plan.in_flight).units) {
      if (found || exclusion_of(terms, unit)) continue;
      found = facts.for_job() ? may_be_of_use(facts, usable, unit) : may_relieve(facts, over, unit);
    }
  });
  return found;
}

}  // namespace

std::string plan_check::refusal(const PlanFacts& facts) {
  const std::string_view rule = facts.plan.rule;
  if (facts.yes() || is_undecidable(rule) || facts.plan.outcome == Outcome::impossible) return {};
  if (rule == "topology-unknown") return {};  // what an unknown topology would offer cannot be checked
  if (facts.for_job()) {
    if (exceeds_limits(facts) || is_too_large(facts, [](NodeId) { return true; }))
      return "it is impossible, not refused by " + std::string(rule);
    if (job_max_fault(facts).empty() != (rule != "job-max"))
      return rule == "job-max" ? "job-max does not refuse it"
                               : "it is refused by job-max, not by " + std::string(rule);
    if (rule == "job-max") return {};
    const UsableNodes usable(facts);
    if (rule != "nodes-unavailable" &&
        is_too_large(facts, [&](NodeId id) { return usable.fault(id).empty(); }))
      return "nodes are unavailable, it is not refused by " + std::string(rule);
  }
  const bool searched = is_after_triggers(rule);
  if (!searched && !is_certain_trigger(rule)) return {};
  const std::optional<RuleReason> refused = refused_by(facts);
  const std::string_view right = refused ? refused->rule : std::string_view{};
  if (searched && refused) return "it is refused by " + std::string(right) + ", not by " + std::string(rule);
  if (!searched && right != rule) return std::string(rule) + " does not refuse it";
  if (searched && rule != "no-victims" && !facts.subject.is_claim() && !has_candidate(facts))
    return "no unit is eligible, it is not refused by " + std::string(rule);
  return {};
}

}  // namespace cede
