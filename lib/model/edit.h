// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "model/batched_counts.h"
#include "model/drafts.h"
#include "model/limits.h"
#include "model/model.h"
#include "model/node_class.h"
#include "model/resolve_job.h"

namespace cede {

// Builds the next model from the present one: puts and removals first, in any order, then finish(), which
// resolves references and checks every rule on what was touched. Works on a copy, so a failed edit leaves
// nothing behind, or in place. Documents and arrays both end here; there is no other way to change a
// model.
class ModelEdit {
 public:
  // `whole`: the edit describes an entire cluster (paths are `jobs[3]`), not changes to one (`put.jobs[3]`).
  ModelEdit(Model base, const Limits& limits, Problems& problems, bool whole);
  // Changes the model itself: the caller keeps an Undo for when it fails, and calls settle(), not finish().
  ModelEdit(Model& in_place, const Limits& limits, Problems& problems);
  // Changes given as arrays: one list of one kind, so `jobs[3]` is enough for puts and removals alike, and
  // all that a job may refer to is there when it is put. Jobs are resolved and written at once.
  void take_one_list() { plain_lists_ = one_list_ = true; }

  // For interning names and shapes. Everything a draft refers to must have been interned here.
  Model& model() { return model_; }
  const Limits& limits() const { return limits_; }
  Problems& problems() { return *problems_; }

  // The id of a resource name, adding it; Id::kNoValue when there are already max_resources.
  std::uint32_t resource(NameId name);

  void set_now(Time now) { model_.now = std::max(model_.now, now); }
  void set_levels(std::vector<NameId> levels);
  void set_site(BlobId site);
  void set_network_site(BlobId site);
  // The levels and domains of a topology.conf. At finish() each node that is put and listed there gets its
  // domain; one that gives a network of its own as well is an error.
  void set_network(NetworkDescription network);

  // That about so many jobs with so many task rows come.
  void expect_jobs(std::size_t jobs, std::size_t tasks);
  void put(TopologyDraft& draft);
  void put(DomainDraft& draft);
  void put(GroupDraft& draft);
  void put(ReservationDraft& draft);
  void put(QueueDraft& draft);
  void put(NodeDraft& draft);
  void put(const JobDraft& draft);
  // The same for a job that the caller has resolved, possibly in another thread. Of the model this reads and
  // writes only jobs with their columns, tasks, nodes, queues, groups and job names. Other threads may use
  // the rest meanwhile.
  void put(const JobDraft& draft, const ResolvedJob& resolved);
  // Where problems are reported from now on.
  void report_to(Problems& problems) { problems_ = &problems; }
  // An object that could not be read keeps its place in the numbering of its list.
  void skip(Kind kind);
  void remove(Kind kind, std::string_view name);

  // Takes what must hold of one requirement's interning: the id with one more owner.
  RequirementId intern_requirement(const Requirement& requirement);

  // Resolves and checks everything. The model may be used only if no error was reported.
  void settle();
  Model finish() {
    settle();
    return std::move(model_);
  }

  // Jobs that were put, with their places in the list. Valid after finish() too, as is path(), the place of
  // such an entry.
  struct PutJob {
    JobId id;
    std::size_t index;
  };
  std::vector<PutJob> put_jobs() const;
  bool put_groups() const;
  RemovedNames removed() const;
  bool touched_queues() const;
  Path path(Kind kind, std::size_t index, std::string_view member) const { return at(kind, index, member); }

 private:
  template <class IdType>
  struct Pending {
    IdType id;  // none: skipped
    NameId first = kNoName;
    NameId second = kNoName;
    NameId third = kNoName;
    std::uint32_t list = 0;  // where its names start in names_
    std::uint32_t list_size = 0;
  };
  // The same for a job; small, because there are very many.
  struct PendingJob {
    JobId id;
  };
  struct Removal {
    Kind kind;
    std::uint32_t index;  // within its list
    std::uint32_t name;   // interned id, or InternTable::kNotFound
    std::string text;
  };

  template <class IdType, class Row, class Entry>
  IdType place(NamedTable<IdType, Row>& table, NameId name, Kind kind, std::vector<Entry>& pending,
               std::uint64_t limit, std::string_view limit_name);
  Path list_path(Kind kind) const;
  Path at(Kind kind, std::size_t index, std::string_view member = {}) const;
  Path at_removal(const Removal& removal) const;
  Path at_node(NodeId node, std::string_view member) const;
  Path at_task(TaskId id, NodeId node, std::string_view member) const;
  void fail(Path path, std::string text) { problems_->error(std::move(path), std::move(text)); }
  void fail(const std::vector<JobFault>& faults, std::size_t index);
  void fail_unknown(Path path, Kind kind, std::string_view name);
  void fail_limit(Path path, std::string_view limit_name, std::uint64_t limit);
  template <class IdType, class Row>
  IdType resolve(const NamedTable<IdType, Row>& table, NameId name, Kind kind, const Path& path);
  GroupId resolve_group(NameId name, const Path& path);
  void move(InternTable& table, InternTable::Id& held, InternTable::Id next) {
    table.retain(next);
    give_up(table, held);
    held = next;
  }
  void move(NameId& held, NameId next) { move(model_.names, held, next); }
  void move_shape(ShapeId& held, ShapeId next) { move(model_.shapes, held, next); }
  void move_blob(BlobId& held, BlobId next) { move(model_.blobs, held, next); }
  void give_up(InternTable& table, InternTable::Id id) {
    if (id != 0) given_up_.push_back({&table, id});
  }
  // The names of groups, queues and nodes have an owner among the numbers that callers use.
  static bool has_number(Kind kind) {
    return kind == Kind::group || kind == Kind::queue || kind == Kind::node;
  }
  void give_number(NameId name);
  void take_number(NameId name);
  void name_positions(std::span<const TaskDraft> tasks);
  void touch(NodeId node) {
    if (!all_nodes_touched_) touched_.push_back(node);
  }
  void sort_touched();
  bool fits_alone(ShapeId task, const NodeRow& node);
  void fail_capacity(TaskId id, NodeId node, const std::string& who);

  JobId place_job(const JobDraft& draft);
  void write(JobId id, const JobHead& head, std::span<const TaskDraft> tasks, const ResolvedJob& resolved);
  void write_task(TaskId id, JobId job, const TaskDraft& draft, const ResolvedJob::Task& resolved);
  bool keeps_tasks(const JobCore& held, std::span<const TaskDraft> tasks, const ResolvedJob& resolved) const;
  void set_owners(JobId id, const JobOwners& next);
  void set_extras(JobId id, const JobExtras& next);
  void set_rare(JobId id, const JobHead& head);
  void detach_tasks(const JobCore& job);
  void detach(NodeId id);
  void detach(QueueId id);
  void detach(ReservationId id);
  void forget(JobId id);

  void attach_listed_nodes();
  void resolve_domains();
  void resolve_queues();
  void resolve_nodes();
  void resolve_reservations();
  void write_waiting_jobs();
  void expect_many();
  void hand_on_counts();
  void fetch_tasks_of(std::size_t from) const;
  void apply_removals();
  void check_domain_levels();
  void check_queue_tree();
  void check_queue(QueueId id, const QueueRow& row);
  bool check_node_domains(NodeId id) const;
  void fail_node_domains(NodeId id, Path path);
  void check_node(NodeId id);
  void check_node_tasks(NodeId id);
  struct Holders {
    TaskId blamed;
    TaskId other;
  };
  Holders holders_of(DeviceMask devices, NodeId node, TaskId last) const;

  std::optional<Model> copy_;  // none: in place
  Model& model_;
  const Limits limits_;
  // A name that is not known, where it was found first, and how many objects more refer to it.
  struct UnknownName {
    Path path;
    std::string text;
    std::size_t own_size = 0;  // of the text, without the number of others
    std::int64_t others = -1;  // -1: not told yet
  };
  std::map<std::pair<Kind, std::string>, UnknownName> unknown_;
  Problems* problems_;
  const bool whole_;
  bool plain_lists_;
  bool one_list_ = false;
  bool queues_touched_ = false;
  bool all_nodes_touched_ = false;
  bool levels_touched_ = false;

  std::vector<Pending<TopologyId>> topologies_;
  std::vector<Pending<DomainId>> domains_;
  std::vector<Pending<GroupId>> groups_;
  std::vector<Pending<ReservationId>> reservations_;
  std::vector<Pending<QueueId>> queues_;
  std::vector<Pending<NodeId>> nodes_;
  std::vector<PendingJob> jobs_;
  WaitingJobs waiting_;
  std::size_t task_rows_;                // with those of waiting jobs
  std::optional<JobResolver> resolver_;  // of one list
  ResolvedJob resolved_;
  std::vector<NameId> names_;   // lists of references: a node's network, a reservation's nodes
  NetworkDescription network_;  // of a topology.conf; its nodes wait here for the cluster's
  std::vector<Removal> removals_;
  // References to release once everything is resolved. Not before: a draft may name by id what only its old
  // version still owns.
  struct GivenUp {
    InternTable* table;
    InternTable::Id id;
  };
  std::vector<GivenUp> given_up_;
  std::array<std::uint32_t, 7> removal_counts_{};
  std::array<bool, 7> limit_reported_{};
  std::vector<NodeId> touched_;
  std::uint32_t gpu_ = ResourceId::kNoValue;  // the resource of that name, once all are read
  // Pairs of a task's and a node's resources of which the one is known to fit the other.
  struct Fitting {
    ShapeId task = kNoShape;
    ShapeId node = kNoShape;
    GroupId group;

    bool operator==(const Fitting&) const = default;
    std::size_t slot() const { return (task ^ node * 7) % 64; }
  };
  std::array<Fitting, 64> fitting_{};
  // Owners that jobs bring to what many of them share.
  static constexpr std::size_t kManyJobs = 64;
  BatchedCounts<64> queue_jobs_;
  BatchedCounts<16> group_jobs_;
  BatchedCounts<64> shape_owners_;
  BatchedCounts<512> name_owners_;
  BatchedCounts<64> task_name_owners_;
  BatchedCounts<64> blob_owners_;
  BatchedCounts<16> requirement_owners_;
};

}  // namespace cede
