// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace local {

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
  double gpus = 0;      // requested
};

struct JobSpec {
  std::string id;
  std::string members;            // without those that the run sets itself
  std::string checkpoint;         // the members of its `checkpoint`
  std::string submitted_members;  // `priority` and `class` as submitted
  std::vector<TaskSpec> tasks;
  RunSpec run;
};

struct NodeSpec {
  std::string id;
  std::uint32_t gpus = 0;
  std::string domain;  // its first network domain, empty if it has none
};

// A cede-scenario/1 document: a cluster, a policy, and jobs that arrive over time.
struct Scenario {
  std::string document;                  // the whole text, with the files it names inserted
  std::string policy;                    // a cede-policy/1 document
  std::string cluster;                   // the members of a cede-cluster/1 document, without `now` and `jobs`
  std::int64_t now = 0;                  // the cluster's, in milliseconds; 0: when the run begins
  std::string title;                     // what the view shows above it
  double speed = 1;                      // seconds of the scenario in one real second
  std::int64_t orphan_timeout = 60'000;  // real milliseconds
  std::int64_t patience = 600'000;       // the run ends if nothing happens for this long
  std::vector<NodeSpec> nodes;
  std::vector<JobSpec> jobs;
};

}  // namespace local
