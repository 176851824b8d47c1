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
#include "policy/shares/fair_share_index.h"
#include "policy/unit.h"
#include "search/unit_table.h"

namespace cede {

class WorkerPool;
class RequestCaches;

// Everything a decision about one group starts from: nodes and what is free there, running units, queue
// usage, waiting jobs. Built once, then updated from one state of the cluster to the next at the cost of what
// changed.
class GroupIndex {
 public:
  // `in_flight` belongs to the model, here and in follow(). `workers` help to build the index.
  GroupIndex(std::shared_ptr<const Model> model, std::shared_ptr<const PolicySet> policies,
             const Policy& policy, GroupId group, const InFlight& in_flight, WorkerPool* workers = nullptr);
  GroupIndex(const GroupIndex& other);
  GroupIndex& operator=(const GroupIndex&) = delete;
  ~GroupIndex();

  // Updates the index to the next state. False if so much changed that a new index must be built; this one is
  // then unusable.
  bool follow(const std::shared_ptr<const Model>& next, const InFlight& in_flight);
  // Whether the index is at this very state, so that there is nothing to follow.
  bool is_of(const Model& model, const InFlight& in_flight) const;
  bool is_under(const PolicySet* policies) const { return policies_.get() == policies; }

  const NodeTable& nodes() const { return nodes_; }
  const GroupUsage& usage() const { return usage_; }
  const QueueTable& queues() const { return *queues_; }
  // All running units, in no order; `Unit::slot` is the position.
  std::span<const Unit* const> units() const { return {units_.data(), units_.size()}; }
  // The occupants of a node, by its number, in no order. A task of an elastic job may occur twice: alone and
  // as part of the whole job.
  std::span<const Occupant> occupants(std::size_t node) const { return occupants_[node]; }
  // The log of the nodes that changed since the index was built, latest last; a node may occur several times.
  // Entries before `forgotten` are dropped.
  std::uint64_t touched_end() const { return forgotten_ + touched_.size(); }
  std::uint64_t forgotten() const { return forgotten_; }
  std::uint32_t touched(std::uint64_t at) const { return touched_[at - forgotten_]; }
  // Another number for every state that the index was led to.
  std::uint64_t state() const { return state_; }
  // Units of last resort and elastic jobs as a whole.
  std::size_t special_units() const { return special_; }
  const Model& model() const { return *model_; }
  RequestCaches& caches() const { return *caches_; }
  // Null if no rule of the profile needs fair shares.
  const FairShareIndex* fair_shares() const { return fair_shares_.get(); }
  // The waiting jobs that are served before this one, in the order of service. Empty if no rule of the
  // profile needs them.
  std::vector<JobId> waiting_before(JobId job) const;

 private:
  using WaitingKey =
      std::tuple<std::int64_t, Time, std::string>;  // negated priority of its request, submit time, name
  bool same_frame(const Model& next) const;
  void follow_holds(const InFlight& in_flight, std::vector<std::uint32_t> changed);
  std::vector<JobId> make_plain_units(const InFlight& in_flight, const ShapeViews& shapes);
  void list_nodes();
  void move_all_in(const ShapeViews& shapes);
  void add_job(const EffectiveSettings& effective, JobId job, const InFlight& in_flight);
  void drop_job(const EffectiveSettings& effective, JobId job);
  void list(Unit& unit);
  void move_in(const EffectiveSettings& effective, const Unit& unit);
  void touch(std::uint32_t node);
  void touch_units_of(const std::vector<TaskId>& tasks);
  bool is_changed(const Model& before, JobId job) const;
  std::uint32_t devices_of(const Model& model, TaskId task, std::uint32_t node) const;
  std::uint32_t devices_of(const TaskCore& task, ResourceView shape, std::uint32_t node) const;
  WaitingKey waiting_key(const EffectiveSettings& effective, JobId job) const;
  std::vector<Total> capacity() const;

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
  std::uint64_t state_ = 0;
  std::size_t special_ = 0;
  std::unique_ptr<FairShareIndex> fair_shares_;
  InFlight holds_;  // nothing but the holds that the nodes count
  std::unique_ptr<RequestCaches> caches_;
};

// The group indexes of an engine and all its copies. A query of a changed copy updates an index to that state
// and the next query updates it back, each at the cost of the difference, so a what-if needs no index of its
// own. Thread-safe: an index does not change while a caller holds it.
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
