// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/plan.h"
#include "policy/settings/effective_settings.h"
#include "verify/queue_usage.h"
#include "verify/victims.h"

namespace cede {

// Task rows, sorted.
class TaskSet {
 public:
  TaskSet() = default;
  explicit TaskSet(std::vector<std::uint32_t> rows);
  bool contains(TaskId task) const;
  std::size_t size() const { return rows_.size(); }
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  TaskSet without(std::span<const TaskId> tasks) const;
  TaskSet with(std::span<const TaskId> tasks) const;

 private:
  std::vector<std::uint32_t> rows_;
};

// A plan with the facts that its checks read again from the model's rows. It shares the model, the settings
// and the fair shares with the search, but no rule.
//
// A trial may change the plan's victims and placement; it then calls set_gone() and read_placement().
class PlanFacts {
 public:
  using Amounts = std::map<std::uint32_t, Total>;  // by resource

  // A waiting task that the plan must place.
  struct Wanted {
    TaskId row;
    std::uint32_t index = 0;  // position within the row's `count`
    auto operator<=>(const Wanted&) const = default;
  };

  // The first `tasks` of one of the possible requests.
  struct Choice {
    std::size_t request = 0;
    std::size_t tasks = 0;
  };

  // `usage`: null: it is counted here. `choice`: which tasks the plan must place; without one the plan tells.
  PlanFacts(const Plan& plan, const PolicySet& policies, const Policy& policy,
            const QueueUsage* usage = nullptr, std::optional<Choice> choice = std::nullopt);
  PlanFacts(const PlanFacts&) = delete;
  PlanFacts& operator=(const PlanFacts&) = delete;

  const Plan& plan;
  const Model& model;
  const EffectiveSettings effective;
  const Subject subject;
  const std::unique_ptr<const QueueUsage> counted;  // set if usage was not given
  const QueueUsage& usage;
  const std::unique_ptr<const FairFacts> fair;  // set in profile `fair-share`
  const std::uint32_t gpu;                      // ResourceId::kNoValue if the cluster has no such resource
  const std::uint32_t cpu;

  bool yes() const { return plan.outcome == Outcome::preempt || plan.outcome == Outcome::fits; }
  bool for_job() const { return subject.purpose == Purpose::job; }
  bool is(Profile profile) const { return effective.profile() == profile; }
  // The job that wants to start; none for relief and claims.
  JobId requester() const { return for_job() ? subject.job : JobId{}; }
  QueueId queue() const { return subject.queue; }
  GroupId group() const { return subject.group; }
  // The effective setting of a queue. Cached: there are far fewer queues than victims.
  std::int64_t setting(Setting id, QueueId queue) const;
  bool flag(Setting id, QueueId queue) const { return setting(id, queue) != 0; }

  std::string job_name(JobId id) const;
  std::string node_name(NodeId id) const;
  std::string queue_name(QueueId id) const;

  // What the plan must place, sorted. Empty for relief and claims. Of a gang: all waiting tasks, or as many
  // as an elastic gang lacks to `min_tasks`. Any other job has one possible request per kind of waiting task:
  // the first task of that kind with others of equal priority and `may_preempt`, up to `tasks_per_plan`. A
  // plan without victims says itself which of them it serves, and with how many of its tasks; any other
  // serves the whole of the first that may preempt.
  const std::vector<Wanted>& wanted() const { return wanted_; }
  std::size_t request_count() const { return firsts_.size(); }
  // The first tasks of a possible request, at most that many, in its own order.
  std::vector<Wanted> request(std::size_t index, std::uint64_t most) const;
  Choice choice() const { return choice_; }
  // The lowest priority of the wanted tasks, and whether all of them may preempt.
  std::int32_t priority() const { return priority_; }
  bool may_preempt() const { return may_preempt_; }
  // The sum over all wanted tasks.
  const Amounts& asked() const { return asked_; }
  Total asked(std::uint32_t resource) const;
  // Whether every wanted task can run on one named node only.
  bool needs_named_node() const { return needs_named_node_; }
  // The requirement; an empty one if the job has none.
  const Requirement& require() const;

  // The tasks of the victims, and the units they form. Only running victims form units.
  const TaskSet& gone() const { return gone_; }
  void set_gone(TaskSet gone);
  const std::vector<VictimUnit>& units() const;
  std::vector<TaskId> placed_tasks(JobId id) const;
  Amount amount(TaskId task, std::uint32_t resource) const;  // 0 if the cluster does not have the resource

  // What the remaining tasks hold: on one node; and of a queue's subtree in the group.
  Amounts held_on(NodeId node) const;
  Total held_in(QueueId queue, std::uint32_t resource) const;
  Total held_in_group(std::uint32_t resource) const;
  // What the victims take from every queue that loses anything, up to the root.
  const std::map<QueueId, Amounts>& lost_by_queue() const;
  bool counted_by_group(std::uint32_t resource) const;
  // The usage that a queue's limit is compared with before any victim leaves: usage, and what victims of
  // other decisions still hold.
  Total occupied(QueueId queue, std::uint32_t resource) const;

  // What decisions in flight block for the request: on a node, or of what the group counts (no node). A
  // decision blocks nothing if its hold is among the victims, or if the request comes after it.
  std::vector<const InFlight::Blocked*> kept_from_it(NodeId node) const;
  bool comes_after(const InFlight::Room& lender) const;
  bool takes_hold_of(std::uint64_t entry) const;
  // Whether victims of other decisions are on the node until the request starts, or longer.
  bool others_leave(NodeId node) const;

  // Reads where the tasks of the request go.
  void read_placement();
  const std::vector<NodeId>& nodes_used() const { return nodes_used_; }
  bool uses(NodeId node) const;
  std::span<const PlannedTask* const> placed_on(NodeId node) const;

 private:
  void list_requests();
  Choice choice_of_plan() const;
  void read_request();

  std::vector<TaskId> waiting_;
  std::vector<std::size_t> firsts_;  // the rows in waiting_ that possible requests begin with
  std::uint64_t most_tasks_ = 0;     // of a request
  Choice choice_;
  std::vector<Wanted> wanted_;
  std::int32_t priority_ = 0;
  bool may_preempt_ = true;
  Amounts asked_;
  bool needs_named_node_ = false;
  TaskSet gone_;
  mutable std::optional<std::vector<VictimUnit>> units_;
  mutable std::optional<std::map<QueueId, Amounts>> lost_;
  mutable std::unordered_map<std::uint64_t, std::int64_t> settings_;
  std::vector<NodeId> nodes_used_;           // sorted
  std::vector<const PlannedTask*> by_node_;  // sorted by node
  // by node; no node: what the group counts
  std::map<NodeId, std::vector<const InFlight::Blocked*>> blocked_;
  struct SpareRoom {
    const InFlight::Room* lender;
    const InFlight::Blocked* room;
  };
  std::map<NodeId, std::vector<SpareRoom>> spare_;
};

}  // namespace cede
