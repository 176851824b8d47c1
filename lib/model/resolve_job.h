// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "model/drafts.h"
#include "model/limits.h"
#include "model/model.h"

namespace cede {

// One thing wrong with a job.
struct JobFault {
  Path path;  // within the job: `tasks[2].node`
  std::string text;
  Status status = Status::document;
  // It refers to a name that is not known: of which kind, and the name. `text` then says only that.
  std::optional<Kind> unknown = {};
  std::string name = {};
};

// A job's draft with ids in place of names, and everything that is wrong with it. What could not be resolved
// is none.
struct ResolvedJob {
  struct Task {
    NodeId node;
    NodeId required;
  };

  QueueId queue;
  GroupId group;
  Time submitted = kNoTime;
  std::vector<Task> tasks;  // one per task of the draft
  std::vector<JobFault> faults;
};

// Task ids are unique in their job. This is the one rule that needs nothing but the draft, so a document that
// cannot be read to its end still learns of it.
void check_task_names(const InternTable& names, std::span<const TaskDraft> tasks,
                      std::vector<JobFault>& faults);

// Turns drafts of jobs into resolved jobs. Every rule about the data of one job is here and in
// check_task_names(), nowhere else. It reads only, and no job or task of the model: several threads may
// resolve at once, and another thread may write jobs if `cluster` is a copy.
class JobResolver {
 public:
  // `cluster` has the queues, groups and nodes. `texts` has what the drafts interned.
  JobResolver(const Model& cluster, const Model& texts, const Limits& limits);

  void resolve(const JobHead& job, std::span<const TaskDraft> tasks, ResolvedJob& out) const;

 private:
  struct TaskAt;

  NodeId resolve_node(const TaskAt& at, NameId name, std::string_view member) const;
  void resolve_task(const TaskAt& at, const TaskDraft& task) const;
  void fail_group(const TaskAt& at, NameId node, GroupId group) const;
  void check_devices(const TaskAt& at, const TaskDraft& task) const;
  void check_state(const JobHead& job, bool placed, bool waiting, ResolvedJob& out) const;
  void check_size(const JobHead& job, std::uint64_t tasks, ResolvedJob& out) const;
  void check_requirement(RequirementId id, ResolvedJob& out) const;

  const Model& cluster_;
  const Model& texts_;
  const Limits& limits_;
  const GroupId only_group_;  // need not be named
  const std::uint32_t gpu_;   // the resource of that name; a later draft may be the first to use it
};

// The group of that name. Without a name, the only group there is; none if there are several.
GroupId find_group(const Model& model, NameId name);

// `'x' is not a queue; 3 queues are known`.
std::string unknown_text(Kind kind, std::string_view name, std::size_t known);
// The same with the nearest name: `…; did you mean 'y'?`. Looks at every name of the kind.
std::string unknown_text(const Model& model, Kind kind, std::string_view name);
// How many objects of a kind there are.
std::size_t known_of(const Model& model, Kind kind);
// Why find_group() found none.
std::string no_group_text(const Model& model, std::string_view name);
// `more than 7 (limit max_jobs)`.
std::string limit_text(std::string_view name, std::uint64_t limit);

// The other way round: a job as it is, to be put again with something changed.
JobDraft draft_of(const Model& model, JobId id);

}  // namespace cede
