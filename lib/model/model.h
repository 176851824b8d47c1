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
#include "base/sparse_column.h"
#include "base/time.h"
#include "model/cluster_rows.h"
#include "model/ids.h"
#include "model/job_rows.h"
#include "model/named_table.h"
#include "model/node_class.h"
#include "model/requirement.h"
#include "model/resources.h"
#include "model/task_table.h"

namespace cede {

using TextPairs = std::vector<std::pair<std::string_view, std::string_view>>;

// A cluster at one moment: nodes, queues, jobs and what they refer to. Plain data, copied in constant time
// (every table is copy-on-write); changed only through ModelEdit, which keeps it consistent.
struct Model {
  InternTable names;  // everything but jobs
  // Apart, so that the tables indexed by other names stay small. Whatever a caller of the typed door named is
  // here too, see NameRegistry; hence the NUL.
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
  CowVector<Time> overcommit_since;  // by NodeId, plus 1; short or 0 where nobody said so
  NamedTable<JobId, JobCore> jobs;
  CowVector<JobTimes> job_times;  // the columns beside `jobs`, by JobId
  SparseColumn<JobSpells> job_spells;
  SparseColumn<JobOwners> job_owners;
  SparseColumn<JobCheckpoint> job_checkpoints;
  SparseColumn<JobExtras> job_extras;
  TaskTable tasks;
  CowVector<std::shared_ptr<const NodeClass>> classes;         // by ClassId
  CowVector<std::shared_ptr<const Requirement>> requirements;  // by RequirementId

  Time now = kNoTime;
  BlobId site = kNoBlob;          // `x-` fields of the document itself
  BlobId network_site = kNoBlob;  // and of its `network`
  std::uint32_t edits = 0;        // how many edits led here; stamps rows

  // Every member, for whoever must treat all of them alike.
  template <class Visit>
  void each_part(Visit visit) {
    visit(names, job_names, shapes, blobs, class_keys, requirement_keys, resources, levels);
    visit(groups, domains, topologies, reservations, queues, nodes, jobs);
    visit(overcommit_since, job_times, job_spells, job_owners, job_checkpoints, job_extras, tasks);
    visit(classes, requirements);
    visit(now, site, network_site, edits);
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

  // Whether the queue is the root of that subtree or inside it.
  bool is_below(QueueId queue, QueueId root) const;

  // A task row's own name; `t` and its position where it was given none.
  std::string task_name(const JobCore& job, std::uint32_t position) const;

  // How many devices tasks on the node may name: the topology's, else as many whole `gpu` as the node has.
  std::uint32_t device_count(const NodeRow& node) const { return device_count(node, find_resource("gpu")); }
  std::uint32_t device_count(const NodeRow& node, std::uint32_t gpu) const;
  Time overcommitted(NodeId node) const {
    const bool said = node.value < overcommit_since.size() && overcommit_since[node.value] != 0;
    return said ? overcommit_since[node.value] - 1 : kNoTime;
  }
  // Null where the node has no topology.
  const NodeClass* node_class(const NodeRow& node) const;

  // The row and number of the job's task of that label (`t0`, `workers#3`); no row where there is none.
  struct FoundTask {
    TaskId row;
    std::uint32_t index = 0;  // among the row's `count`
  };
  FoundTask find_task(JobId job, std::string_view label) const;

  std::uint32_t find_resource(std::string_view text) const;  // Id::kNoValue where nobody used the name
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

// Interned encodings. Pairs are `key NUL value NUL …` in the order given (callers sort).
std::string encode_pairs(const TextPairs& pairs);
// A canonical encoding of all that makes two classes different (PCI addresses do not), and of a requirement.
std::string encode_class(const NodeClass& node_class);
std::string encode_requirement(const Requirement& requirement);

}  // namespace cede
