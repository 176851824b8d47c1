// SPDX-License-Identifier: MIT
#include "verify/queue_usage.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

bool is_never_preempted(const EffectiveSettings& effective, JobId job) {
  const JobCore& core = effective.model().jobs[job];
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    if (effective.preemptible(TaskId{core.first_task.value + k}) == Preemptible::no) return true;
  }
  return false;
}

namespace {

// The same for many jobs: what holds where neither the job nor its tasks say anything is asked once per
// queue.
class NeverPreempted {
 public:
  explicit NeverPreempted(const EffectiveSettings& effective)
      : effective_(effective), by_queue_(effective.model().queues.id_bound(), Answer::unknown) {}

  bool operator()(JobId id, const JobCore& job) {
    if (job.task_rows == 0) return false;
    if (job.preemptible != Preemptible::absent || any_task_says(job))
      return is_never_preempted(effective_, id);
    Answer& known = by_queue_[job.queue.value];
    if (known == Answer::unknown) known = is_never_preempted(effective_, id) ? Answer::never : Answer::may_be;
    return known == Answer::never;
  }

 private:
  bool any_task_says(const JobCore& job) const {
    const TaskTable& tasks = effective_.model().tasks;
    for (std::uint32_t k = 0; k < job.task_rows && tasks.has_extras(); ++k) {
      if (tasks.extras(TaskId{job.first_task.value + k}).preemptible != Preemptible::absent) return true;
    }
    return false;
  }

  enum class Answer : std::uint8_t { unknown, may_be, never };
  const EffectiveSettings& effective_;
  std::vector<Answer> by_queue_;
};

}  // namespace

CountedUsage::CountedUsage(const EffectiveSettings& effective, GroupId group)
    : capacity_(effective.model().resources.size(), 0) {
  const Model& model = effective.model();
  const std::size_t cells = model.queues.id_bound() * capacity_.size();
  used_.assign(cells, 0);
  fixed_used_.assign(cells, 0);
  fixed_requested_.assign(cells, 0);
  model.nodes.for_each([&](NodeId, const NodeRow& node) {
    if (node.group != group || node.state != NodeState::up) return;
    for (const ResourceAmount& entry : model.shape(node.resources)) capacity_[entry.resource] += entry.amount;
  });
  for (const ResourceAmount& entry : model.shape(model.groups[group].resources))
    capacity_[entry.resource] = entry.amount;
  NeverPreempted never_preempted(effective);
  TaskTable::Reader tasks(model.tasks);
  model.jobs.for_each([&](JobId id, const JobCore& job) {
    if (job.group != group) return;
    const bool fixed = never_preempted(id, job);
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskCore& task = tasks[TaskId{job.first_task.value + k}];
      for (const ResourceAmount& entry : model.shape(task.resources)) {
        const std::size_t own = at(job.queue, entry.resource);
        if (task.node) used_[own] += entry.amount;
        if (task.node && fixed) fixed_used_[own] += entry.amount;
        if (fixed) fixed_requested_[own] += static_cast<Total>(entry.amount) * static_cast<Total>(task.count);
      }
    }
  });
  for (std::vector<Total>* sums : {&used_, &fixed_used_, &fixed_requested_}) {
    const std::vector<Total> own = *sums;
    model.queues.for_each([&](QueueId id, const QueueRow& row) {
      for (QueueId queue = row.parent; queue; queue = model.queues[queue].parent) {
        for (std::uint32_t r = 0; r < capacity_.size(); ++r) (*sums)[at(queue, r)] += own[at(id, r)];
      }
    });
  }
}

std::string CountedUsage::difference(const Model& model, const QueueUsage& other) const {
  std::string found;
  const auto compare = [&](const std::string& what, std::uint32_t r, Total counted, Total kept) {
    if (found.empty() && counted != kept)
      found = what + ' ' + std::string(model.resource_name(r)) + " is " + format_total(counted) +
              ", kept is " + format_total(kept);
  };
  for (std::uint32_t r = 0; r < capacity_.size(); ++r) {
    compare("the group's capacity of", r, capacity(r), other.capacity(r));
    model.queues.for_each([&](QueueId queue, const QueueRow& row) {
      const std::string whose = "queue " + quote(model.name(row.name)) + "'s ";
      compare(whose + "usage of", r, used(queue, r), other.used(queue, r));
      compare(whose + "usage by jobs that are never preempted of", r, fixed_used(queue, r),
              other.fixed_used(queue, r));
      compare(whose + "demand by jobs that are never preempted of", r, fixed_requested(queue, r),
              other.fixed_requested(queue, r));
    });
  }
  return found;
}

FairFacts::FairFacts(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight, Time now,
                     const FairShareIndex* known)
    : effective_(effective),
      in_flight_(in_flight),
      now_(now),
      own_tree_(known ? FairShareTree{} : fair_share_tree(effective, group)),
      own_shares_(known ? FairShares{} : compute_fair_shares(own_tree_.tree)),
      tree_(known ? known->tree() : own_tree_),
      shares_(known ? known->shares() : own_shares_) {}

std::string FairFacts::difference(const FairFacts& other) const {
  const Model& model = effective_.model();
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::equal(tree_.usage_of(a), other.tree_.usage_of(b)) &&
           std::ranges::equal(tree_.placed_of(a), other.tree_.placed_of(b)) &&
           std::ranges::equal(shares_.fair_of(a), other.shares_.fair_of(b)) &&
           std::ranges::equal(shares_.demand_of(a), other.shares_.demand_of(b)) &&
           shares_.dominant[a] == other.shares_.dominant[b];
  };
  std::string found;
  model.queues.for_each([&](QueueId queue, const QueueRow& row) {
    if (found.empty() && !same(tree_.element(queue), other.tree_.element(queue)))
      found = "the fair share of queue " + quote(model.name(row.name)) + " is not the one that is kept";
  });
  model.jobs.for_each([&](JobId job, const JobCore&) {
    const std::uint32_t element = tree_.element(job);
    if (found.empty() && element != FairShareTree::kNoElement && !same(element, other.tree_.element(job)))
      found = "the fair share of job " + quote(model.job_name(job)) + " is not the one that is kept";
  });
  return found;
}

// Since when the job is below its share: from the document, else from the engine.
Starvation FairFacts::starvation(JobId job) const {
  const StarvationTerms terms = starvation_terms(effective_, job);
  const ShareStatus status = share_status(job_shares_of(tree_, shares_, job), terms.tolerance);
  Time since = effective_.model().job_state_times[job.value].below_fair_share_since;
  if (since == kNoTime) since = in_flight_.below_since(job);
  return cede::starvation(status, since, now_, terms);
}

TaskTier FairFacts::tier(JobId job, std::span<const TaskId> tasks) const {
  auto known = splits_.find(job);
  if (known == splits_.end()) known = splits_.emplace(job, split_job(effective_, tree_, shares_, job)).first;
  TaskTier tier = TaskTier::preemptible;
  for (const SplitTask& each : known->second) {
    if (std::find(tasks.begin(), tasks.end(), each.row) != tasks.end()) tier = std::min(tier, each.tier);
  }
  return tier;
}

}  // namespace cede
