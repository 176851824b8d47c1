// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/json_tree.h"

namespace local {

// Resources and how much of each, as written in a document.
using Amounts = std::vector<std::pair<std::string, std::string>>;

// `{"gpu":4}`
std::string json_of(const Amounts& amounts);
// Takes over what `changes` names; the rest stays.
void replace_amounts(Amounts& amounts, const Amounts& changes);

// How a job runs as a process: the member `run` of a scenario's job.
struct RunSpec {
  std::vector<std::string> command;  // empty: the built-in worker
  std::int64_t arrival = 0;          // milliseconds after the start of the run, in the scenario's time
  std::int64_t duration = 0;         // how long it works; exact for the built-in worker
  int signal = 0;                    // sent with a checkpoint hint
  bool saves = false;                // the built-in worker answers a hint
  std::int64_t takes = 0;            // how long saving takes
  std::int64_t defers = 0;           // how much time it asks for first
  bool ignores_term = false;         // the built-in worker does not end on TERM
  std::vector<std::string> first;    // the nodes it may start on the first time; empty: any
  bool restart = false;              // its owner submits it again if the policy does not requeue it
  std::vector<std::pair<std::string, std::string>> environment;
};

struct TaskSpec {
  std::string id;
  std::string members;  // the rest of it as the library reads it, separated by commas
  Amounts resources;
  double gpus = 0;  // requested
  // Its own, if it states them.
  std::optional<std::int32_t> priority;
  std::optional<bool> may_preempt;
};

struct JobSpec {
  std::string id;
  std::string members;            // without those that the run sets itself
  std::string checkpoint;         // the members of its `checkpoint`
  std::string submitted_members;  // `priority` and `class` as submitted
  std::string queue;
  std::string group;  // empty: the only one there is
  std::string kind;   // empty: its queue's
  std::optional<bool> gang;
  std::optional<bool> may_preempt;
  std::uint32_t min_tasks = 0;  // 0: not elastic
  Amounts max;
  std::vector<TaskSpec> tasks;
  RunSpec run;
};

struct NodeSpec {
  std::string id;
  std::uint32_t gpus = 0;
  std::string domain;   // its first network domain, empty if it has none
  std::string members;  // without `resources` and `state`, separated by commas
  Amounts resources;
  std::string state;
};

struct QueueSpec {
  std::string id;
  std::string parent;   // empty: the root
  std::string members;  // without `max`
  Amounts max;
  std::string kind;  // empty: its parent's
  std::int64_t priority_offset = 0;
  cli::JsonNode settings;
};

struct GroupSpec {
  std::string id;
  std::string policy;  // empty: the default one
};

// Something that happens to the cluster while jobs run. Which names are given depends on the kind.
struct EventSpec {
  enum class Kind : std::uint8_t { overcommit, lower_max, claim, node_down, node_up };

  Kind kind = Kind::overcommit;
  std::int64_t at = 0;  // milliseconds after the start of the run, in the scenario's time
  std::string node;
  std::string queue;
  std::string job;
  std::string task;                // of the job; empty: every task of it
  Amounts amounts;                 // what the node has, each task uses, or the queue or job may have at most
  bool partial = false;            // relief goes as far as it can if no set of victims is enough
  std::vector<std::string> nodes;  // of a claim
  std::string reason;              // of a claim
  std::optional<std::int64_t>
      keep;  // how long a claim keeps its nodes; empty: until a job of the queue starts

  // What the event changes: `node:n1`, `queue:root.ml`, `job:a`.
  std::string target() const;
};

// `overcommit`
std::string_view word_of(EventSpec::Kind kind);

// A cede-scenario/1 document: a cluster, a policy, and jobs that arrive over time.
struct Scenario {
  std::string document;                  // the whole text, with the files it names inserted
  std::string policy;                    // a cede-policy/1 document
  std::string cluster;                   // a cede-cluster/1 document's members but now, jobs, nodes, queues
  std::int64_t now = 0;                  // the cluster's, in milliseconds; 0: when the run begins
  std::string title;                     // what the view shows above it
  double speed = 1;                      // seconds of the scenario in one real second
  std::int64_t orphan_timeout = 60'000;  // real milliseconds
  std::int64_t patience = 600'000;       // the run ends if nothing happens for this long
  std::int64_t cleanup_delay = 5'000;    // from the mark of a job to its deletion by the operator
  std::vector<GroupSpec> groups;
  std::vector<QueueSpec> queues;
  std::vector<NodeSpec> nodes;
  std::vector<JobSpec> jobs;
  std::vector<EventSpec> events;  // in the order in which they happen
};

}  // namespace local
