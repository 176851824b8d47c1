// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/plan.h"
#include "policy/rule_context.h"
#include "policy/shares/fair_share_status.h"

namespace cede {

// A plan with what its checks count anew from the model's rows. Shares no code with the search.
class PlanFacts {
 public:
  using Amounts = std::map<std::uint32_t, Total>;  // by resource

  // `usage`: what the queues use in the plan's model, where it is known; counted anew where it is not.
  PlanFacts(const Plan& plan, const PolicySet& policies, const Policy& policy,
            const GroupUsage* usage = nullptr);
  PlanFacts(const PlanFacts&) = delete;
  PlanFacts& operator=(const PlanFacts&) = delete;

  const Plan& plan;
  const Model& model;
  const EffectiveSettings effective;
  const Request request;
  const std::optional<GroupUsage> counted;  // where it was not given
  const GroupUsage& usage;
  const std::unique_ptr<const FairShareStatus> fair;  // in profile `fair-share`
  const RuleContext rule_context;
  std::set<std::uint32_t> gone;  // task rows on their way out

  bool yes() const { return plan.outcome == Outcome::preempt || plan.outcome == Outcome::fits; }
  bool for_job() const { return request.purpose == Purpose::job; }
  GroupId group() const { return request.group; }
  std::string job_name(JobId id) const;
  std::string node_name(NodeId id) const;
  std::string queue_name(QueueId id) const;
  std::vector<TaskId> placed_tasks(JobId id) const;
  // The victims as units, the way the objective counts them.
  std::vector<Unit> victim_units() const;
  // What tasks hold that are not on their way out: on one node; and of a queue's subtree in the group.
  Amounts held_on(NodeId node) const;
  Amounts held_in(QueueId queue) const;
  // And in all of the group.
  Amounts held_in_group() const;
  // What the victims take from every queue that loses anything, up to the root.
  std::map<QueueId, Amounts> lost_by_queue() const;
  // What the placed tasks of the request ask for in sum.
  Amounts asked() const;
  bool counted_by_group(std::uint32_t resource) const;
  // What decisions in flight keep from the request: on a node, or of what the group counts (no node). Those
  // whose hold is among the victims keep nothing, and neither do those it comes after.
  std::vector<const InFlight::Blocked*> kept_from_it(NodeId node) const;
  bool is_kept_from_it(const InFlight::Blocked& each) const;
  bool comes_after(const InFlight::SurplusRoom& surplus_room) const;
  bool takes_hold_of(std::uint64_t entry) const;
  // Whether victims of others are on the node until the request starts, or longer.
  bool others_leave(NodeId node) const;
  // The requirement, an empty one where the job has none.
  const Requirement& require() const;
  // Whoever changes the plan's placement says so.
  void read_placement();
  const std::set<std::uint32_t>& nodes_used() const { return nodes_used_; }
  // The tasks of the request that the plan puts on a node.
  std::span<const PlannedTask* const> placed_on(NodeId node) const;

 private:
  std::set<std::uint32_t> nodes_used_;
  std::map<NodeId, std::vector<const PlannedTask*>> placed_;
  std::map<NodeId, std::vector<const InFlight::Blocked*>> blocked_;  // by node; none: what the group counts
  std::map<NodeId, std::vector<std::pair<std::uint64_t, const InFlight::Blocked*>>> spare_;  // with its entry
};

// The checks, one per condition; each says what it found, or nothing.
namespace plan_check {

std::string outcome(const PlanFacts& facts);
std::string victims_run(const PlanFacts& facts);
std::string victims_once(const PlanFacts& facts);
std::string units(const PlanFacts& facts);
std::string eligible(const PlanFacts& facts);
std::string actions(const PlanFacts& facts);
std::string after(const PlanFacts& facts);
std::string whole_request(const PlanFacts& facts);
std::string nodes(const PlanFacts& facts);
std::string node_space(const PlanFacts& facts);
std::string devices(const PlanFacts& facts);
std::string group_space(const PlanFacts& facts);
std::string queue_max(const PlanFacts& facts);
std::string spread_over_nodes(const PlanFacts& facts);
std::string gpu_entries(const PlanFacts& facts);
std::string network(const PlanFacts& facts);
std::string conformance(const PlanFacts& facts);
std::string exclusivity(const PlanFacts& facts);
std::string relieved(const PlanFacts& facts);
std::string claimed(const PlanFacts& facts);
std::string max_victims(const PlanFacts& facts);
std::string value_exceeded(const PlanFacts& facts);
std::string quota(const PlanFacts& facts);
std::string below_guarantee(const PlanFacts& facts);
std::string budget(const PlanFacts& facts);
std::string one_node(const PlanFacts& facts);
std::string objective(const PlanFacts& facts);
std::string cost(const PlanFacts& facts);
std::string start_times(const PlanFacts& facts);
std::string minimal(const PlanFacts& facts);
std::string preferences(const PlanFacts& facts);
std::string no_gain(const PlanFacts& facts);

// Of what is to be relieved: what it holds with the victims gone, whether a task is part of it, and by how
// much such an amount is over its limit; nothing where it is within it.
PlanFacts::Amounts held_by_target(const PlanFacts& facts);
bool is_of_target(const PlanFacts& facts, TaskId task);
PlanFacts::Amounts over_limit(const PlanFacts& facts, PlanFacts::Amounts stays);
PlanFacts::Amounts over_limit(const PlanFacts& facts);
// What counts against a placement.
std::int64_t preferences_missed(const PlanFacts& facts);
std::int64_t borrowed_nodes(const PlanFacts& facts);
// Whether each node has as many free devices as the request's tasks there ask for in sum, whichever those are
// that somebody holds without saying so.
bool enough_devices(const PlanFacts& facts);

}  // namespace plan_check
}  // namespace cede
