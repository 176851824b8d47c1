// SPDX-License-Identifier: MIT
#include "search/group_index.h"

#include <algorithm>
#include <numeric>

#include "base/bits.h"
#include "base/worker_pool.h"
#include "policy/composition.h"
#include "policy/request.h"
#include "search/request_caches.h"

namespace cede {

namespace {

constexpr std::size_t kMostKept = 4;  // indexes per group, not counting those in use

}  // namespace

GroupIndex::GroupIndex(std::shared_ptr<const Model> model, std::shared_ptr<const PolicySet> policies,
                       const Policy& policy, GroupId group, const InFlight& in_flight, WorkerPool* workers)
    : model_(std::move(model)),
      policies_(std::move(policies)),
      policy_(policy),
      orders_waiting_(composition(policy.profile).inputs().waiting_order),
      group_(group),
      queues_(std::make_shared<const QueueTable>(EffectiveSettings(*model_, *policies_, policy_))),
      usage_(EffectiveSettings(*model_, *policies_, policy_, queues_.get()), group, InFlight{},
             GroupUsage::Jobs::none),
      nodes_(*model_, group, NodeTable::Unfilled{}),
      holds_(in_flight.holds_alone()) {
  caches_ = std::make_unique<RequestCaches>();
  // The same as add_job() for each job. Nearly all jobs of a large cluster are one unit. For those, only what
  // is kept is built, and the work is split evenly between two threads.
  const ShapeViews shapes(*model_);
  WorkerPool* const helpers = workers_for(workers, model_->groups[group].jobs);
  std::vector<JobId> others;
  each_piece(helpers, 2, [&](std::size_t piece) {
    if (piece == 0) {
      others = make_plain_units(in_flight, shapes);
    } else {
      list_nodes();
    }
  });
  each_piece(helpers, 2, [&](std::size_t piece) {
    if (piece == 0) {
      move_all_in(shapes);
    } else {
      nodes_.put_all(*model_, shapes);
    }
  });
  const EffectiveSettings effective(*model_, *policies_, policy_, queues_.get());
  for (const JobId job : others) add_job(effective, job, in_flight);
  nodes_.count_holds(*model_, holds_);
  touched_.clear();  // no cache has looked yet
  if (composition(policy.profile).inputs().fair_shares)
    fair_shares_ = std::make_unique<FairShareIndex>(effective, group_, capacity());
}

std::vector<Total> GroupIndex::capacity() const {
  std::vector<Total> out;
  for (std::uint32_t r = 0; r < usage_.resources(); ++r) out.push_back(usage_.capacity(r));
  return out;
}

namespace {

// Tells whether a job is one unit without looking at its history; see make_plain_unit(). Writes the amount of
// `gpu` that the job holds to `gpus`.
class PlainJobs {
 public:
  PlainJobs(const EffectiveSettings& effective, const InFlight& in_flight, const ShapeViews& shapes,
            std::uint32_t gpu)
      : effective_(effective),
        model_(effective.model()),
        in_flight_(in_flight),
        shapes_(shapes),
        gpu_(gpu),
        any_holds_(in_flight.any_holds()),
        any_extras_(effective.model().tasks.has_extras()) {}

  bool has(JobId id, const JobCore& job, TaskTable::Reader& cores, Amount& gpus) const {
    if (job.task_rows == 0 || (any_holds_ && in_flight_.hold(id))) return false;
    Total held = 0;
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskCore& task = cores[TaskId{job.first_task.value + k}];
      if (!task.node) return false;
      if (gpu_ != ResourceId::kNoValue) held += amount_of(shapes_[task.resources], gpu_);
    }
    if (job.task_rows > 1 && !is_plain_gang(id, job, held)) return false;
    gpus = static_cast<Amount>(held);
    return true;
  }

 private:
  bool is_plain_gang(JobId id, const JobCore& job, Total held) const {
    if (held <= 0 || held > kMaxAmount || model_.job_extras[id.value].min_tasks != 0 ||
        !effective_.is_gang(id))
      return false;
    for (std::uint32_t k = 0; k < job.task_rows && any_extras_; ++k) {
      if (model_.tasks.extras(TaskId{job.first_task.value + k}) != TaskExtras{}) return false;
    }
    return true;
  }

  const EffectiveSettings& effective_;
  const Model& model_;
  const InFlight& in_flight_;
  const ShapeViews& shapes_;
  const std::uint32_t gpu_;
  const bool any_holds_;
  const bool any_extras_;
};

}  // namespace

// Adds up queue usage once at the end. Returns the jobs that must be added one by one.
std::vector<JobId> GroupIndex::make_plain_units(const InFlight& in_flight, const ShapeViews& shapes) {
  const Model& model = *model_;
  const EffectiveSettings effective(model, *policies_, policy_, queues_.get());
  by_job_.expect(model.jobs.id_bound());
  units_.reserve(model.groups[group_].jobs);
  const PlainJobs plain(effective, in_flight, shapes, nodes_.gpu());
  GroupUsage::Tally tally(usage_);
  TaskTable::Reader cores(model.tasks);
  CowVector<JobTimes>::Reader times(model.job_times);
  std::vector<JobId> others;
  model.jobs.for_each([&](JobId id, const JobCore& job) {
    if (job.group != group_) return;
    Amount gpus = 0;
    if (!plain.has(id, job, cores, gpus)) return others.push_back(id);
    Unit& unit = by_job_.put_one(id);
    make_plain_unit(effective, {id, job, times[id.value], gpus}, unit);
    list(unit);
    for (std::uint32_t k = 0; k < job.task_rows; ++k)
      tally.add(job.queue, !unit.preemptible, shapes[cores[TaskId{job.first_task.value + k}].resources]);
  });
  usage_.add(model, tally);
  return others;
}

void GroupIndex::list_nodes() {
  nodes_.list_all(*model_);
  NamedTable<NodeId, NodeRow>::Reader rows(model_->nodes);
  occupants_.make_room(nodes_.size(), [&](std::size_t node) { return rows[nodes_.nodes()[node].id].tasks; });
}

// In the order in which the units were made, which is the order of their tasks.
void GroupIndex::move_all_in(const ShapeViews& shapes) {
  TaskTable::Reader cores(model_->tasks);
  for (const Unit* unit : units_) {
    for (const TaskId row : unit->tasks) {
      const TaskCore& task = cores[row];
      const std::uint32_t node = nodes_.index_of(task.node);
      occupants_.add(node, {unit, task.resources, row, devices_of(task, shapes[task.resources], node)});
    }
  }
}

GroupIndex::GroupIndex(const GroupIndex& other)
    : model_(other.model_),
      policies_(other.policies_),
      policy_(other.policy_),
      orders_waiting_(other.orders_waiting_),
      group_(other.group_),
      queues_(other.queues_),
      usage_(other.usage_),
      nodes_(other.nodes_),
      by_job_(other.by_job_),
      units_(other.units_.size()),
      waiting_(other.waiting_),
      special_(other.special_),
      fair_shares_(other.fair_shares_ ? std::make_unique<FairShareIndex>(*other.fair_shares_) : nullptr),
      holds_(other.holds_),
      caches_(std::make_unique<RequestCaches>()) {
  const EffectiveSettings effective(*model_, *policies_, policy_, queues_.get());
  occupants_.make_room(other.occupants_.size(),
                       [&](std::size_t node) { return other.occupants_[node].size(); });
  by_job_.for_each([&](Unit& unit) {
    units_[unit.slot] = &unit;
    move_in(effective, unit);
  });
  touched_.clear();  // no cache has looked yet
}

GroupIndex::~GroupIndex() = default;

// The nodes of every unit with one of these tasks.
void GroupIndex::touch_units_of(const std::vector<TaskId>& tasks) {
  std::vector<JobId> jobs;
  const auto touch_node_of = [&](TaskId task) { touch(nodes_.index_of(model_->tasks.core(task).node)); };
  for (const TaskId task : tasks) {
    touch_node_of(task);
    jobs.push_back(model_->tasks.core(task).job);
  }
  std::sort(jobs.begin(), jobs.end());
  jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
  for (const JobId job : jobs) {
    for (const Unit& unit : by_job_.of(job)) {
      for (const TaskId task : unit.tasks) {
        if (unit.tasks.size() > 1) touch_node_of(task);
      }
    }
  }
}

void GroupIndex::touch(std::uint32_t node) {
  touched_.push_back(node);
  if (touched_.size() < 4 * nodes_.size() + 4096) return;
  forgotten_ += touched_.size();
  touched_.clear();
}

GroupIndex::WaitingKey GroupIndex::waiting_key(const EffectiveSettings& effective, JobId job) const {
  return {-std::int64_t{request_priority(effective, job)}, effective.submitted(job),
          std::string(effective.model().job_name(job))};
}

void GroupIndex::add_job(const EffectiveSettings& effective, JobId job, const InFlight& in_flight) {
  const Model& model = effective.model();
  const JobCore& core = model.jobs[job];
  usage_.count_job(effective, job, 1);
  bool waits = false;
  bool runs = false;
  for (std::uint32_t k = 0; k < core.task_rows; ++k)
    (model.tasks.core(TaskId{core.first_task.value + k}).node ? runs : waits) = true;
  if (waits && orders_waiting_) waiting_.emplace(waiting_key(effective, job), job);
  if (!runs) return;
  for (Unit& unit : by_job_.put(job, make_job_units(effective, job, in_flight))) {
    list(unit);
    move_in(effective, unit);
  }
}

inline void GroupIndex::list(Unit& unit) {
  special_ += unit.last_resort || unit.whole_elastic ? 1 : 0;
  unit.slot = static_cast<std::uint32_t>(units_.size());
  // Grow by an eighth, so that one more unit does not double the memory.
  if (units_.size() == units_.capacity()) units_.reserve(units_.size() + units_.size() / 8 + 64);
  units_.push_back(&unit);
}

void GroupIndex::move_in(const EffectiveSettings& effective, const Unit& unit) {
  for (const TaskId task : unit.tasks) {
    const TaskCore& core = effective.model().tasks.core(task);
    const std::uint32_t node = nodes_.index_of(core.node);
    touch(node);
    occupants_.add(node, {&unit, core.resources, task, devices_of(effective.model(), task, node)});
  }
}

std::uint32_t GroupIndex::devices_of(const Model& model, TaskId task, std::uint32_t node) const {
  const TaskCore& core = model.tasks.core(task);
  return devices_of(core, model.shape(core.resources), node);
}

std::uint32_t GroupIndex::devices_of(const TaskCore& core, ResourceView shape, std::uint32_t node) const {
  if (core.gpus_given) return static_cast<std::uint32_t>(count_bits(core.gpus));
  const Amount gpus = nodes_.gpu() == ResourceId::kNoValue ? 0 : amount_of(shape, nodes_.gpu());
  return static_cast<std::uint32_t>(std::min<Amount>((gpus + kOne - 1) / kOne, nodes_.nodes()[node].devices));
}

void GroupIndex::drop_job(const EffectiveSettings& effective, JobId job) {
  usage_.count_job(effective, job, -1);
  if (orders_waiting_) waiting_.erase(waiting_key(effective, job));
  for (const Unit& unit : by_job_.of(job)) {
    special_ -= unit.last_resort || unit.whole_elastic ? 1 : 0;
    units_[unit.slot] = units_.back();
    units_[unit.slot]->slot = unit.slot;
    units_.pop_back();
    for (const TaskId task : unit.tasks) {
      const std::uint32_t node = nodes_.index_of(effective.model().tasks.core(task).node);
      touch(node);
      occupants_.drop(node, unit);
    }
  }
  by_job_.drop(job);
}

namespace {

// What the index keeps of a row. Comparing interned ids is not enough: an id that became unused may have a
// new meaning. A queue's reference counters change with every job and are left out.
auto frame(const Model& model, const QueueRow& row) {
  return std::tuple(model.name(row.name), row.parent, row.priority_offset, row.kind, row.policy,
                    model.blobs.view(row.settings));
}
auto frame(const Model& model, const DomainRow& row) {
  return std::tuple(model.name(row.name), row.level, row.parent);
}
auto frame(const Model& model, const TopologyRow& row) {
  return std::tuple(model.name(row.name),
                    row.node_class ? model.classes[row.node_class.value].get() : nullptr);
}
auto frame(const Model& model, const GroupRow& row) {
  return std::tuple(model.name(row.name), model.name(row.policy), model.shapes.view(row.resources));
}

template <class Table>
bool same_rows(const Model& before, const Model& next, const Table& old_rows, const Table& new_rows) {
  bool same = old_rows.id_bound() == new_rows.id_bound();
  new_rows.for_each_unshared(
      old_rows, [&](auto id) { same = same && frame(before, old_rows[id]) == frame(next, new_rows[id]); });
  return same;
}

}  // namespace

bool GroupIndex::same_frame(const Model& next) const {
  const auto same = [&](const auto& then, const auto& now) { return same_rows(*model_, next, then, now); };
  return model_->resources == next.resources && model_->levels == next.levels &&
         same(model_->groups, next.groups) && same(model_->queues, next.queues) &&
         same(model_->domains, next.domains) && same(model_->topologies, next.topologies);
}

bool GroupIndex::follow(const std::shared_ptr<const Model>& next, const InFlight& in_flight) {
  if (!same_frame(*next)) return false;
  ++state_;
  const std::shared_ptr<const Model> kept = model_;
  const Model& before = *kept;
  const Model& after = *next;
  const EffectiveSettings then(before, *policies_, policy_, queues_.get());
  model_ = next;
  const EffectiveSettings now(after, *policies_, policy_, queues_.get());
  std::vector<std::uint32_t> refilled;
  const bool same_nodes = nodes_.follow(before, after, [&](std::uint32_t index) {
    refilled.push_back(index);
    const NodeId node = nodes_.nodes()[index].id;
    usage_.count_node(before, before.nodes[node], -1);
    usage_.count_node(after, after.nodes[node], 1);
    // Its devices may have changed. Ids of its resources do not tell: they may have a new meaning.
    if (before.nodes[node].stamp == after.nodes[node].stamp) return;
    for (Occupant& occupant : occupants_[index]) occupant.devices = devices_of(before, occupant.task, index);
  });
  if (!same_nodes) return false;
  std::vector<JobId> changed;
  after.jobs.for_each_unshared(before.jobs, [&](JobId id) {
    if (is_changed(before, id)) changed.push_back(id);
  });
  // The next state may be an earlier one or that of another copy, with fewer rows.
  for (std::size_t i = after.jobs.id_bound(); i < before.jobs.id_bound(); ++i) changed.push_back(JobId{i});
  // What is in flight moves tasks without changing the rows of their jobs.
  after.tasks.for_each_unshared(before.tasks, [&](TaskId id) {
    const TaskCore& now_there = after.tasks.core(id);
    const TaskCore then_there = id.value < before.tasks.id_bound() ? before.tasks.core(id) : TaskCore{};
    const auto held = [](const TaskCore& core) {
      return std::tuple(core.job, core.node, core.resources, core.count, core.gpus);
    };
    if (held(now_there) == held(then_there)) return;
    if (now_there.job) changed.push_back(now_there.job);
    if (then_there.job) changed.push_back(then_there.job);
  });
  for (std::size_t i = after.tasks.id_bound(); i < before.tasks.id_bound(); ++i) {
    if (const JobId job = before.tasks.core(TaskId{i}).job) changed.push_back(job);
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  const auto ours = [&](const Model& model, JobId id) {
    return id.value < model.jobs.id_bound() && model.jobs.is_live(id) && model.jobs[id].group == group_;
  };
  const std::uint64_t from = touched_end();
  for (const JobId id : changed) {
    if (ours(before, id)) drop_job(then, id);
  }
  for (const JobId id : changed) {
    if (ours(after, id)) add_job(now, id, in_flight);
  }
  if (fair_shares_) touch_units_of(fair_shares_->follow(before, now, capacity(), changed));
  // A job that was put again may have left the rows of its nodes unchanged.
  std::vector<std::uint32_t> again;
  for (std::uint64_t at = std::max(from, forgotten_); at < touched_end(); ++at) again.push_back(touched(at));
  if (from < forgotten_) {
    again.resize(nodes_.size());
    std::iota(again.begin(), again.end(), 0);
  }
  std::sort(again.begin(), again.end());
  again.erase(std::unique(again.begin(), again.end()), again.end());
  for (const std::uint32_t node : again) {
    if (std::find(refilled.begin(), refilled.end(), node) == refilled.end())
      nodes_.look_again(before, after, node);
  }
  for (const std::uint32_t node : refilled) touch(node);
  again.insert(again.end(), refilled.begin(), refilled.end());
  follow_holds(in_flight, std::move(again));
  return true;
}

// `changed`: nodes whose tasks may differ.
void GroupIndex::follow_holds(const InFlight& in_flight, std::vector<std::uint32_t> changed) {
  for (const NodeId node : in_flight.nodes_of_other_holds(holds_)) {
    const bool is_node = node.value < model_->nodes.id_bound() && model_->nodes.is_live(node);
    if (is_node && model_->nodes[node].group == group_) changed.push_back(nodes_.index_of(node));
  }
  holds_ = in_flight.holds_alone();
  for (const std::uint32_t node : changed) nodes_.count_holds(*model_, holds_, node);
}

bool GroupIndex::is_of(const Model& model, const InFlight& in_flight) const {
  if (!holds_.same_holds(in_flight)) return false;
  return model_.get() == &model ||
         (model_->nodes.same_storage(model.nodes) && model_->jobs.same_storage(model.jobs) &&
          model_->tasks.same_storage(model.tasks) && model_->queues.same_storage(model.queues) &&
          model_->groups.same_storage(model.groups) && model_->domains.same_storage(model.domains) &&
          model_->topologies.same_storage(model.topologies) && model_->resources == model.resources &&
          model_->levels == model.levels);
}

// Every edit that puts a job writes its stamp to the row.
bool GroupIndex::is_changed(const Model& before, JobId job) const {
  if (job.value >= before.jobs.id_bound()) return true;
  const JobCore& then = before.jobs[job];
  const JobCore& now = model_->jobs[job];
  return then.name != now.name || then.stamp != now.stamp || then.first_task != now.first_task ||
         then.task_rows != now.task_rows || then.state != now.state;
}

std::vector<JobId> GroupIndex::waiting_before(JobId job) const {
  const EffectiveSettings effective(*model_, *policies_, policy_, queues_.get());
  std::vector<JobId> out;
  const auto end = waiting_.lower_bound(waiting_key(effective, job));
  for (auto at = waiting_.begin(); at != end; ++at) out.push_back(at->second);
  return out;
}

std::shared_ptr<const GroupIndex> GroupIndexCache::of(const std::shared_ptr<const Model>& model,
                                                      const std::shared_ptr<const PolicySet>& policies,
                                                      const Policy& policy, GroupId group,
                                                      const InFlight& in_flight, WorkerPool* workers) {
  const std::lock_guard lock(pool_->mutex);
  std::vector<std::shared_ptr<GroupIndex>>& kept = pool_->by_group[group.value];
  const auto others = [&](const std::shared_ptr<GroupIndex>& group_index) {
    return group_index->is_under(policies.get()) && group_index->is_of(*model, in_flight);
  };
  const auto same = std::find_if(kept.begin(), kept.end(), others);
  if (same != kept.end()) return *same;
  // Update an idle index. If all are in use, update a copy of one.
  std::shared_ptr<GroupIndex> next;
  for (auto at = kept.begin(); at != kept.end(); ++at) {
    if (!(*at)->is_under(policies.get())) continue;
    const bool idle = at->use_count() == 1;
    if (!idle && next) continue;
    next = *at;
    if (!idle) continue;
    kept.erase(at);
    break;
  }
  if (next && next.use_count() > 1) next = std::make_shared<GroupIndex>(*next);
  if (!next || !next->follow(model, in_flight))
    next = std::make_shared<GroupIndex>(model, policies, policy, group, in_flight, workers);
  std::erase_if(kept, [&](const std::shared_ptr<GroupIndex>& group_index) {
    return group_index.use_count() == 1 &&
           (kept.size() >= kMostKept || !group_index->is_under(policies.get()));
  });
  kept.push_back(next);
  return next;
}

}  // namespace cede
