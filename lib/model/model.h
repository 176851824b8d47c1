// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cow_vector.h"
#include "base/intern_table.h"
#include "base/problem.h"
#include "base/sparse_column.h"
#include "base/time.h"
#include "base/undo.h"
#include "model/ids.h"
#include "model/node_class.h"
#include "model/requirement.h"
#include "model/resources.h"
#include "model/rows.h"
#include "model/tables.h"

namespace cede {

using TextPairs = std::vector<std::pair<std::string_view, std::string_view>>;

// A cluster at one moment: nodes, queues, jobs and what they refer to. Plain data. A copy takes constant
// time, because every table is copy-on-write. Only ModelEdit changes it and keeps it consistent.
struct Model {
  InternTable names;  // of everything except jobs and tasks
  // Separate, so that tables indexed by other names stay small. Its ids are the numbers that callers of the
  // array interface use, so it also holds the names that they registered (see NameRegistry), those of groups,
  // queues and nodes, and `t0`, `t1` ... as far as a task is called by its position. It ends names with a
  // NUL.
  InternTable job_names{InternTable::End::nul};
  InternTable shapes;  // resource vectors
  InternTable blobs;   // id lists, labels, fingerprints, site fields
  InternTable class_keys;
  InternTable requirement_keys;

  std::vector<NameId> resources;  // by ResourceId, in order of first use
  std::vector<NameId> levels;     // network levels, nearest first

  NamedTable<GroupId, GroupRow> groups;
  NamedTable<DomainId, DomainRow> domains;
  NamedTable<TopologyId, TopologyRow> topologies;
  NamedTable<ReservationId, ReservationRow> reservations;
  NamedTable<QueueId, QueueRow> queues;
  NamedTable<NodeId, NodeRow> nodes;
  CowVector<Time> overcommit_since;  // by NodeId, plus 1; missing or 0 if not given
  NamedTable<JobId, JobCore> jobs;
  CowVector<JobTimes> job_times;  // the columns beside `jobs`, by JobId
  SparseColumn<JobStateTimes> job_state_times;
  SparseColumn<JobOwners> job_owners;
  SparseColumn<JobCheckpoint> job_checkpoints;
  SparseColumn<JobExtras> job_extras;
  TaskTable tasks;
  CowVector<std::shared_ptr<const NodeClass>> classes;         // by ClassId
  CowVector<std::shared_ptr<const Requirement>> requirements;  // by RequirementId

  Time now = kNoTime;
  BlobId site = kNoBlob;             // `x-` fields of the document itself
  BlobId network_site = kNoBlob;     // and of its `network`
  std::uint32_t edits = 0;           // number of edits so far; stamps rows
  std::uint32_t position_names = 0;  // `t0`, `t1` ... up to this number have an owner for ever

  // Visits every member, for code that treats all of them alike.
  template <class Visit>
  void each_part(Visit visit) {
    visit(names, job_names, shapes, blobs, class_keys, requirement_keys, resources, levels);
    visit(groups, domains, topologies, reservations, queues, nodes, jobs);
    visit(overcommit_since, job_times, job_state_times, job_owners, job_checkpoints, job_extras, tasks);
    visit(classes, requirements);
    visit(now, site, network_site, edits, position_names);
  }

  std::string_view name(NameId id) const { return names.view(id); }
  std::string_view job_name(JobId id) const { return job_names.view(jobs[id].name); }
  ResourceView shape(ShapeId id) const;
  std::string_view resource_name(std::uint32_t resource) const { return names.view(resources[resource]); }
  std::span<const DomainId> node_domains(const NodeRow& node) const;
  std::span<const NodeId> reservation_nodes(const ReservationRow& reservation) const;
  std::span<const DeviceShare> shares(const TaskExtras& task) const { return shares(task.shares); }
  std::span<const DeviceShare> shares(BlobId id) const;
  TextPairs pairs(BlobId id) const;

  // Whether the queue is `root` or below it.
  bool is_below(QueueId queue, QueueId root) const;
  // Whether the queue or one above it has a `max`.
  bool is_limited(QueueId queue) const;

  // The name of a task row; `t` and its position if none was given.
  std::string task_name(const JobCore& job, std::uint32_t position) const;

  // How many devices tasks on the node may name: those of the topology, otherwise the number of whole `gpu`
  // of the node.
  std::uint32_t device_count(const NodeRow& node) const { return device_count(node, find_resource("gpu")); }
  std::uint32_t device_count(const NodeRow& node, std::uint32_t gpu) const;
  Time overcommitted(NodeId node) const {
    const bool said = node.value < overcommit_since.size() && overcommit_since[node.value] != 0;
    return said ? overcommit_since[node.value] - 1 : kNoTime;
  }
  // Null if the node has no topology.
  const NodeClass* node_class(const NodeRow& node) const;

  // The row of the job's task with that label (`t0`, `workers#3`) and its number within the row; no row if
  // there is no such task.
  struct FoundTask {
    TaskId row;
    std::uint32_t index = 0;  // among the row's `count`
  };
  FoundTask find_task(JobId job, std::string_view label) const;

  std::uint32_t find_resource(std::string_view text) const;  // Id::kNoValue if the name is not a resource
  NodeId find_node(std::string_view text) const { return find_in(nodes, names, text); }
  QueueId find_queue(std::string_view text) const { return find_in(queues, names, text); }
  GroupId find_group(std::string_view text) const { return find_in(groups, names, text); }
  JobId find_job(std::string_view text) const { return find_in(jobs, job_names, text); }

 private:
  template <class IdType, class Row>
  static IdType find_in(const NamedTable<IdType, Row>& table, const InternTable& names,
                        std::string_view text) {
    const InternTable::Id name = names.find(text);
    return name == InternTable::kNotFound ? IdType{} : table.find(name);
  }
};

// Encodings for interning. Pairs are `key NUL value NUL …` in the given order (callers sort).
std::string encode_pairs(const TextPairs& pairs);
// Canonical encodings of a class, without PCI addresses, and of a requirement.
std::string encode_class(const NodeClass& node_class);
std::string encode_requirement(const Requirement& requirement);

// Warnings about legal but probably unintended states. Queues: the guarantees of the children exceed that of
// the parent.
void warn_about_queues(const Model& model, Problems& problems);

// Nodes whose tasks use more than the node has.
void warn_about_nodes(const Model& model, Problems& problems);

// Values that look like mistakes of the unit: a start before the year 2000, and less than a tenth of a GPU
// where the task holds no share of one. At most `max_findings` jobs are told.
void warn_about_units(const Model& model, Problems& problems);

extern template class Undo<Model>;

}  // namespace cede
