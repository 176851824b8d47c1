// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace local {

// How a job behaves as a process.
struct RunSpec {
  std::vector<std::string> command;  // empty: the built-in worker
  std::int64_t arrival = 0;          // milliseconds after the start of the run, in the scenario's time
  std::int64_t duration = 0;         // how long it works; of the built-in worker exactly
  int signal = 0;                    // that tells it of a checkpoint hint
  bool saves = false;                // the built-in worker answers a hint
  std::int64_t takes = 0;            // how long it saves
  std::int64_t defers = 0;           // what it asks for first
  bool ignores_term = false;         // the built-in worker does not end on TERM
  std::vector<std::string> first;    // the nodes it may start on the first time; empty: any
  bool restart = false;              // its owner submits it again where the policy does not requeue it
  std::vector<std::pair<std::string, std::string>> environment;
};

struct TaskSpec {
  std::string id;
  std::string members;  // the rest of it as the library reads it, separated by commas
  double gpus = 0;      // it asks for
};

struct JobSpec {
  std::string id;
  std::string members;            // without what a run sets itself
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

// A cede-scenario/1 document: a cluster, a policy, and jobs that come and run.
struct Scenario {
  std::string document;                  // all of it in one text, files it names included
  std::string policy;                    // a cede-policy/1 document
  std::string cluster;                   // the members of a cede-cluster/1 document, without `now` and `jobs`
  std::int64_t now = 0;                  // the cluster's, in milliseconds; 0: when the run begins
  std::string title;                     // what the view shows above it
  double speed = 1;                      // seconds of the scenario in one real second
  std::int64_t orphan_timeout = 60'000;  // real milliseconds
  std::int64_t patience = 600'000;       // how long nothing may happen before the run ends
  std::vector<NodeSpec> nodes;
  std::vector<JobSpec> jobs;
};

}  // namespace local
