// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/in_flight.h"
#include "policy/settings/effective_settings.h"
#include "policy/shares/fair_share.h"
#include "policy/shares/fair_share_index.h"
#include "policy/shares/starvation.h"
#include "policy/shares/task_split.h"

namespace cede {

// What the queues' subtrees use inside one group. The verifier takes these figures as given. At commit they
// come from what planning keeps, so that the cost of verifying depends only on what the plan touches. The
// audit counts them anew.
class QueueUsage {
 public:
  virtual ~QueueUsage() = default;
  // Held by placed tasks; and of that, by jobs that may not be preempted.
  virtual Total used(QueueId queue, std::uint32_t resource) const = 0;
  virtual Total fixed_used(QueueId queue, std::uint32_t resource) const = 0;
  // Placed and waiting tasks of jobs that may not be preempted.
  virtual Total fixed_requested(QueueId queue, std::uint32_t resource) const = 0;
  // Sum over the group's nodes that are up, or the amount that the group itself states.
  virtual Total capacity(std::uint32_t resource) const = 0;
  // The fair shares of the group, if they are known: in profile `fair-share`.
  virtual const FairShareIndex* fair_shares() const { return nullptr; }
};

// The same, counted job by job and node by node. The cost grows with the cluster.
class CountedUsage final : public QueueUsage {
 public:
  CountedUsage(const EffectiveSettings& effective, GroupId group);
  Total used(QueueId queue, std::uint32_t r) const override { return used_[at(queue, r)]; }
  Total fixed_used(QueueId queue, std::uint32_t r) const override { return fixed_used_[at(queue, r)]; }
  Total fixed_requested(QueueId queue, std::uint32_t r) const override {
    return fixed_requested_[at(queue, r)];
  }
  Total capacity(std::uint32_t resource) const override { return capacity_[resource]; }

  // The first figure that differs from `other`, as a sentence; empty: none.
  std::string difference(const Model& model, const QueueUsage& other) const;

 private:
  std::size_t at(QueueId queue, std::uint32_t resource) const {
    return queue.value * capacity_.size() + resource;
  }
  std::vector<Total> capacity_;
  std::vector<Total> used_;  // by queue, then resource
  std::vector<Total> fixed_used_;
  std::vector<Total> fixed_requested_;
};

// Whether a job may not be preempted. The most protected of its tasks decides.
bool is_never_preempted(const EffectiveSettings& effective, JobId job);

// Which jobs starve and which jobs may take which tasks, from the fair shares of one group at one moment. The
// shares are the library's own, because a separate oracle tests them. Must not outlive the model.
class FairFacts {
 public:
  // `known`: of the same state; must outlive this object. Null: the shares are computed here.
  FairFacts(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight, Time now,
            const FairShareIndex* known);

  // What differs between the shares of two jobs or queues of the same state, as a sentence; empty: nothing.
  std::string difference(const FairFacts& other) const;

  Starvation starvation(JobId job) const;
  // The tier of the most protected of these tasks of one job.
  TaskTier tier(JobId job, std::span<const TaskId> tasks) const;
  // The job's dominant fair share.
  Share fair_share(JobId job) const { return shares_.dominant[tree_.element(job)]; }

 private:
  const EffectiveSettings& effective_;
  const InFlight& in_flight_;
  const Time now_;
  const FairShareTree own_tree_;  // empty if the shares are known
  const FairShares own_shares_;
  const FairShareTree& tree_;
  const FairShares& shares_;
  mutable std::map<JobId, std::vector<SplitTask>> splits_;  // filled on demand
};

}  // namespace cede
