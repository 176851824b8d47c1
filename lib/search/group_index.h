// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "placement/node_table.h"
#include "policy/group_usage.h"
#include "policy/settings/effective_settings.h"
#include "policy/settings/policy.h"
#include "policy/unit.h"
#include "search/unit_table.h"

namespace cede {

class WorkerPool;
class RequestCaches;

// What every decision about one group starts from: its nodes with what is free there, its running units, what
// its queues use, who waits. Made once and then led from one state of the cluster to the next, at the cost of
// what changed.
class GroupIndex {
 public:
  // `in_flight` goes with the model; so does the one of each state that it is led to. `crew`: who helps.
  GroupIndex(std::shared_ptr<const Model> model, std::shared_ptr<const PolicySet> policies,
             const Policy& policy, GroupId group, const InFlight& in_flight, WorkerPool* workers = nullptr);
  GroupIndex(const GroupIndex& other);
  GroupIndex& operator=(const GroupIndex&) = delete;
  ~GroupIndex();

  // False where so much changed that another one must be made; this one is then of no use.
  bool follow(const std::shared_ptr<const Model>& next, const InFlight& in_flight);
  // Whether it stands at this very state, so that there is nothing to follow.
  bool is_of(const Model& model) const;
  bool is_under(const PolicySet* policies) const { return policies_.get() == policies; }

  const NodeTable& nodes() const { return nodes_; }
  const GroupUsage& usage() const { return usage_; }
  const QueueTable& queues() const { return *queues_; }
  // All running units, in no order; each is at its slot.
  std::span<const Unit* const> units() const { return {units_.data(), units_.size()}; }
  // Who is on the node of this number, in no order. A task of an elastic job may be there twice: alone and
  // with all others.
  std::span<const Occupant> occupants(std::size_t node) const { return occupants_[node]; }
  // The numbers of the nodes where anything changed since it was made, the latest last; a node may be there
  // several times. Entries before `forgotten` are lost.
  std::uint64_t touched_end() const { return forgotten_ + touched_.size(); }
  std::uint64_t forgotten() const { return forgotten_; }
  std::uint32_t touched(std::uint64_t at) const { return touched_[at - forgotten_]; }
  // Units that have a turn of their own: last resort, or an elastic job as a whole.
  std::size_t special_units() const { return special_; }
  const Model& model() const { return *model_; }
  RequestCaches& caches() const { return *caches_; }
  // The jobs with a task that waits, those first that are served first. Empty where no rule of the profile
  // asks for them.
  std::vector<JobId> waiting_before(JobId job) const;

 private:
  using WaitingKey = std::tuple<std::int64_t, Time, std::string>;  // how urgent, since when, who
  bool same_frame(const Model& next) const;
  std::vector<JobId> make_plain_units(const InFlight& in_flight, const ShapeViews& shapes);
  void list_nodes();
  void move_all_in(const ShapeViews& shapes);
  void add_job(const EffectiveSettings& effective, JobId job, const InFlight& in_flight);
  void drop_job(const EffectiveSettings& effective, JobId job);
  void list(Unit& unit);
  void move_in(const EffectiveSettings& effective, const Unit& unit);
  void touch(std::uint32_t node);
  bool is_changed(const Model& before, JobId job) const;
  std::uint32_t devices_of(const Model& model, TaskId task, std::uint32_t node) const;
  std::uint32_t devices_of(const TaskCore& task, ResourceView shape, std::uint32_t node) const;
  WaitingKey turn_of(const EffectiveSettings& effective, JobId job) const;

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const PolicySet> policies_;
  const Policy& policy_;
  const bool orders_waiting_;
  GroupId group_;
  std::shared_ptr<const QueueTable> queues_;
  GroupUsage usage_;
  NodeTable nodes_;
  UnitTable by_job_;
  std::vector<Unit*> units_;
  OccupantLists occupants_;
  std::map<WaitingKey, JobId> waiting_;
  std::vector<std::uint32_t> touched_;
  std::uint64_t forgotten_ = 0;
  std::size_t special_ = 0;
  std::unique_ptr<RequestCaches> caches_;
};

// The grounds that an engine and all its copies keep. A copy that was changed leads the ground there and the
// next one who asks leads it back, each at the cost of what differs, so that a what-if needs no ground of its
// own. Any number of threads may ask; each gets one that stays as it is while it is held.
class GroupIndexCache {
 public:
  GroupIndexCache() : pool_(std::make_shared<Pool>()) {}

  std::shared_ptr<const GroupIndex> of(const std::shared_ptr<const Model>& model,
                                       const std::shared_ptr<const PolicySet>& policies, const Policy& policy,
                                       GroupId group, const InFlight& in_flight,
                                       WorkerPool* workers = nullptr);

 private:
  struct Pool {
    std::mutex mutex;
    std::map<std::uint32_t, std::vector<std::shared_ptr<GroupIndex>>> by_group;
  };
  std::shared_ptr<Pool> pool_;
};

}  // namespace cede
