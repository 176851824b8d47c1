// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "model/in_flight.h"
#include "model/model.h"
#include "policy/settings/effective_settings.h"

namespace cede {

// The resource vectors of a model, each looked up once; for loops over all tasks. Valid while the model
// exists and does not change.
class ShapeViews {
 public:
  explicit ShapeViews(const Model& model) : views_(model.shapes.id_bound()) {
    for (ShapeId id = 0; id < views_.size(); ++id) views_[id] = model.shape(id);
  }

  ResourceView operator[](ShapeId id) const { return views_[id]; }

 private:
  std::vector<ResourceView> views_;
};

// What every queue's subtree uses and requests inside one group, separately for jobs that may be preempted
// and jobs that may not. Capacity counts the group's nodes that are up.
class GroupUsage {
 public:
  enum class Jobs : std::uint8_t { all, none };
  // With `none` only the capacity is counted; the caller adds the jobs one by one.
  GroupUsage(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight,
             Jobs jobs = Jobs::all);

  // Held by placed tasks.
  Total used(QueueId queue, std::uint32_t resource) const {
    return at(used_, queue, resource) + at(fixed_used_, queue, resource);
  }
  // Usage plus what victims on their way out still hold. Limits are compared with this.
  Total occupied(QueueId queue, std::uint32_t resource) const;
  // Usage of jobs that may be preempted, and of jobs that may not.
  Total preemptible_used(QueueId queue, std::uint32_t resource) const { return at(used_, queue, resource); }
  Total fixed_used(QueueId queue, std::uint32_t resource) const { return at(fixed_used_, queue, resource); }
  // Placed and waiting tasks of jobs that may not be preempted.
  Total fixed_requested(QueueId queue, std::uint32_t resource) const {
    return at(fixed_requested_, queue, resource);
  }
  // Sum over the group's nodes that are up, or the amount that the group itself states.
  Total capacity(std::uint32_t resource) const { return capacity_[resource]; }
  bool counted_by_group(std::uint32_t resource) const { return by_group_[resource]; }
  std::size_t resources() const { return capacity_.size(); }

  // Counts placed tasks in their own queue only. The sums are then added to the queues above in one pass.
  class Tally {
   public:
    explicit Tally(const GroupUsage& usage)
        : resources_(usage.resources()), used_(usage.used_.size()), fixed_(usage.used_.size()) {}
    void add(QueueId queue, bool fixed, ResourceView shape) {
      Total* const row = (fixed ? fixed_ : used_).data() + queue.value * resources_;
      for (const ResourceAmount& entry : shape) row[entry.resource] += entry.amount;
    }

   private:
    friend class GroupUsage;
    std::size_t resources_;
    std::vector<Total> used_;
    std::vector<Total> fixed_;
  };
  void add(const Model& model, const Tally& tally);

  // Adds (1) or removes (-1) a job, as its rows are in this model, or a node's capacity.
  void count_job(const EffectiveSettings& effective, JobId job, int sign);
  void count_node(const Model& model, const NodeRow& node, int sign);

  // The same usage, plus what other decisions in flight still occupy.
  GroupUsage beside(const InFlight& in_flight) const;

  // Removes what the victims of an entry still hold, or adds it again. A request that takes over the entry's
  // hold also takes over these victims.
  void release_surplus(const InFlight& in_flight, std::uint64_t entry);
  void take_surplus(const InFlight& in_flight, std::uint64_t entry);

  // The same group without any usage.
  GroupUsage emptied() const;

  // Removes a placed task, or adds it again. `fixed` is is_fixed() of its job, which looks at every task of a
  // gang.
  void release(const Model& model, TaskId task, bool fixed) { move(model, task, fixed, -1); }
  void take(const Model& model, TaskId task, bool fixed) { move(model, task, fixed, 1); }

 private:
  using Table = std::vector<Total>;  // by queue, then resource
  Total at(const Table& table, QueueId queue, std::uint32_t resource) const {
    return table[queue.value * capacity_.size() + resource];
  }
  void set_surplus(const InFlight& in_flight);
  void count_surplus(const InFlight& in_flight, std::uint64_t entry, int sign);
  void add(Table& table, const Model& model, QueueId queue, ShapeId shape, std::int64_t count);
  void move(const Model& model, TaskId task, bool fixed, int sign);

  GroupId group_;
  std::vector<Total> capacity_;
  std::vector<bool> by_group_;
  Table used_;
  Table fixed_used_;
  Table fixed_requested_;
  Table surplus_;  // empty: none
};

// Whether a job may not be preempted. The most protected of its tasks decides.
bool is_fixed(const EffectiveSettings& effective, JobId job);

}  // namespace cede
