// SPDX-License-Identifier: MIT
// Limits on the whole set of victims. Taking less never breaks them.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "verify/eligibility.h"
#include "verify/guarantee_laws.h"
#include "verify/home.h"
#include "verify/objective.h"
#include "verify/plan_checks.h"
#include "verify/triggers.h"

namespace cede {

namespace {

bool is_node_relief(const PlanFacts& facts) { return facts.subject.purpose == Purpose::relief_node; }

}  // namespace

// Counts distinct victim jobs, without units that borrow the requester's home nodes.
std::string max_victims_fault(const PlanFacts& facts) {
  const std::int64_t most = facts.setting(Setting::max_victims, facts.queue());
  if (most == kNoSetting || facts.subject.is_claim()) return {};
  std::set<JobId> jobs;
  for (const VictimUnit& unit : facts.units()) {
    if (!is_lent(facts, unit)) jobs.insert(unit.job);
  }
  if (static_cast<std::int64_t>(jobs.size()) <= most) return {};
  return std::to_string(jobs.size()) + " jobs give way, max_victims is " + std::to_string(most);
}

namespace plan_check {

// The relief of a node may exceed these three; `relief-order` checks whether it had to.
std::string max_victims(const PlanFacts& facts) {
  return is_node_relief(facts) ? std::string{} : max_victims_fault(facts);
}

std::string below_guarantee(const PlanFacts& facts) {
  return is_node_relief(facts) ? std::string{} : below_guarantee_fault(facts);
}

std::string budget(const PlanFacts& facts) {
  return is_node_relief(facts) ? std::string{} : budget_fault(facts);
}

std::string value_exceeded(const PlanFacts& facts) {
  if (!facts.is(Profile::class_cost) || facts.plan.victims.empty()) return {};
  const std::optional<std::int64_t> value = value_of_request(facts);
  if (!value) return {};
  std::optional<std::int64_t> price;  // of the units that count
  for (const VictimUnit& unit : facts.units()) {
    if (!is_lent(facts, unit)) price = price.value_or(0) + sum_of(cost_parts_of(facts, unit));
  }
  return !price || *price < *value ? std::string{}
                                   : "the victims cost as much as the request is worth, or more";
}

// The quota admits the request: for the queue and, with `check_parent_quota`, every queue above it. All jobs
// that may not be preempted must together stay within the minimum. Preemptible jobs must stay within the
// maximum, minus the room owed to jobs that may not be preempted.
std::string quota(const PlanFacts& facts) { return facts.yes() ? outside_quota(facts) : std::string{}; }

}  // namespace plan_check

std::string outside_quota(const PlanFacts& facts) {
  if (!facts.is(Profile::quota) || !facts.for_job()) return {};
  const Model& model = facts.model;
  const bool fixed = is_never_preempted(facts.effective, facts.requester());
  for (QueueId queue = facts.queue(); queue; queue = model.queues[queue].parent) {
    const ResourceView min = model.shape(model.queues[queue].guaranteed);
    const ResourceView max = model.shape(model.queues[queue].max);
    const bool has_min = model.queues[queue].guaranteed != kNoShape;
    for (const auto& [r, request] : facts.asked()) {
      if (request == 0) continue;
      if (fixed && has_min && facts.usage.fixed_used(queue, r) + request > amount_of(min, r))
        return "queue " + facts.queue_name(queue) + " would exceed its minimum with what cannot be preempted";
      const Amount most = amount_of(max, r, kNoAmount);
      if (fixed || most == kNoAmount) continue;
      const Total owed = std::min<Total>(amount_of(min, r), facts.usage.fixed_requested(queue, r));
      const Total preemptible = facts.usage.used(queue, r) - facts.usage.fixed_used(queue, r);
      if (owed + preemptible + request > most)
        return "queue " + facts.queue_name(queue) + " would not keep room for what it owes";
    }
    if (!facts.flag(Setting::check_parent_quota, facts.queue())) break;
  }
  return {};
}

// Law 2 of `guarantee`, which relief keeps in every profile. A task bound to its node is exempt.
std::string below_guarantee_fault(const PlanFacts& facts) {
  const bool applies =
      facts.subject.is_relief() || (facts.is(Profile::guarantee) && !facts.needs_named_node());
  if (!applies || facts.plan.outcome != Outcome::preempt) return {};
  const QueueId loser =
      queue_below_guarantee(facts, facts.lost_by_queue(), queue_that_may_shrink(facts, facts.units()));
  return loser ? "queue " + facts.queue_name(loser) + " loses its guarantee" : std::string{};
}

// The victims stay within the storm limits: units per victim queue and user, and lost work. A hold does not
// count: it never ran.
std::string budget_fault(const PlanFacts& facts) {
  const Allowance& allowed = facts.plan.allowance;
  if (!allowed.bounds() || facts.subject.purpose == Purpose::sensitive_claim) return {};
  std::map<QueueId, std::int64_t> of_queue;
  std::map<NameId, std::int64_t> of_user;
  Total lost = 0;
  for (const VictimUnit& unit : facts.units()) {
    if (unit.hold != 0) continue;
    ++of_queue[facts.model.jobs[unit.job].queue];
    ++of_user[facts.model.job_owners[unit.job.value].user];
    lost += lost_work_of(facts, unit);
  }
  for (const auto& [queue, count] : of_queue) {
    if (allowed.bounds_queues && count > allowed.of_queue(queue).left)
      return "queue " + facts.queue_name(queue) + " loses more than the storm limits leave";
  }
  for (const auto& [user, count] : of_user) {
    if (allowed.bounds_users && user != kNoName && count > allowed.of_user(user).left)
      return "user " + quote(facts.model.name(user)) + " loses more than the storm limits leave";
  }
  return allowed.bounds_lost_work && lost > allowed.lost_work.left
             ? "more work is lost than the storm limits leave"
             : std::string{};
}

namespace {

// A job's usage as the share of its dominant resource, with or without the tasks that are gone.
Share usage_share(const PlanFacts& facts, JobId job, bool without_gone) {
  PlanFacts::Amounts used;
  for (const TaskId task : facts.placed_tasks(job)) {
    if (without_gone && facts.gone().contains(task)) continue;
    for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task).resources))
      used[entry.resource] += entry.amount;
  }
  Share most = 0;
  for (const auto& [resource, amount] : used)
    most = std::max(most, share_of(amount, facts.usage.capacity(resource)));
  return most;
}

}  // namespace

// Every job that loses a task stays more satisfied (usage / fair share) than the requester was: usage / fair
// > own / own fair, by more than the tolerance. A job with fair share 0 counts as satisfied.
std::string plan_check::no_gain(const PlanFacts& facts) {
  if (!facts.fair || !facts.for_job()) return {};
  const Wide own = usage_share(facts, facts.requester(), false);
  const Wide own_fair = facts.fair->fair_share(facts.requester());
  for (const VictimUnit& unit : facts.units()) {
    const Wide left = usage_share(facts, unit.job, true);
    const Wide fair = facts.fair->fair_share(unit.job);
    if (fair == 0) continue;
    const Wide equal = fair * own_fair / 1'000'000'000;
    if (left * own_fair - own * fair <= equal)
      return facts.job_name(unit.job) + " ends no more satisfied than the requester was";
  }
  return {};
}

namespace {

// Whether the unit frees a resource that the group counts and has too little of, wherever the unit runs. A
// hold also frees what is kept for its requester.
bool frees_for_group(const PlanFacts& facts, const VictimUnit& unit) {
  const InFlight& in_flight = *facts.plan.in_flight;
  QueueId root = facts.queue();
  while (facts.model.queues[root].parent) root = facts.model.queues[root].parent;
  for (const ResourceAmount& has : facts.model.shape(facts.model.groups[facts.group()].resources)) {
    const Total more = facts.asked(has.resource);
    Total used = facts.usage.used(root, has.resource) + more;
    for (const InFlight::Blocked* each : facts.kept_from_it(NodeId{}))
      used += amount_of(each->amounts, has.resource);
    for (const VictimUnit& other : facts.units()) {
      if (other.hold != 0) used += in_flight.group_blocked_for(other.hold, has.resource);
    }
    if (more == 0 || used <= has.amount) continue;
    if (unit.hold != 0 && in_flight.group_blocked_for(unit.hold, has.resource) > 0) return true;
    if (std::any_of(unit.tasks.begin(), unit.tasks.end(),
                    [&](TaskId task) { return facts.amount(task, has.resource) > 0; }))
      return true;
  }
  return false;
}

}  // namespace

bool makes_queue_room(const PlanFacts& facts, const VictimUnit& unit) {
  for (QueueId queue = facts.queue(); queue; queue = facts.model.queues[queue].parent) {
    const bool below = facts.model.is_below(facts.model.jobs[unit.job].queue, queue);
    for (const ResourceAmount& most : facts.model.shape(facts.model.queues[queue].max)) {
      const Total more = facts.asked(most.resource);
      if (more == 0 || facts.occupied(queue, most.resource) + more <= most.amount) continue;
      if (unit.hold != 0 && facts.plan.in_flight->has_surplus(unit.hold, queue, most.resource)) return true;
      if (below && std::any_of(unit.tasks.begin(), unit.tasks.end(),
                               [&](TaskId task) { return facts.amount(task, most.resource) > 0; }))
        return true;
    }
  }
  return false;
}

namespace {

std::set<NodeId> spare_nodes(const PlanFacts& facts, std::uint64_t hold) {
  const std::vector<NodeId> nodes = facts.plan.in_flight->nodes_blocked_for(hold);
  return {nodes.begin(), nodes.end()};
}

}  // namespace

// In `fair-share`, and in `guarantee` without `cross_node`, victims that free space are on the nodes of the
// placement; in `fair-share` all on one node. Victims that make room in a queue may be anywhere.
std::string plan_check::one_node(const PlanFacts& facts) {
  const bool all_on_one = facts.is(Profile::fair_share);
  const bool on_its_nodes =
      all_on_one || (facts.is(Profile::guarantee) && !facts.flag(Setting::cross_node, facts.queue()));
  if (!on_its_nodes || !facts.for_job() || facts.plan.outcome != Outcome::preempt) return {};
  std::optional<std::set<NodeId>> common;  // nodes common to all victims so far
  for (const VictimUnit& unit : facts.units()) {
    if (frees_for_group(facts, unit) || makes_queue_room(facts, unit)) continue;
    std::set<NodeId> nodes;
    for (const TaskId task : unit.tasks) nodes.insert(facts.model.tasks.core(task).node);
    // A hold also frees what the victims of its entry leave beyond what its requester takes.
    if (unit.hold != 0) nodes.merge(spare_nodes(facts, unit.hold));
    if (std::none_of(nodes.begin(), nodes.end(), [&](NodeId node) { return facts.uses(node); }))
      return facts.job_name(unit.job) + " is on none of the request's nodes";
    if (!common) common = nodes;
    std::erase_if(*common, [&](NodeId node) { return !nodes.contains(node); });
    if (all_on_one && common->empty()) return "the victims are not on one node";
  }
  return {};
}

}  // namespace cede
