// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cede/cede.h"
#include "engine/engine.h"
#include "engine/reports.h"
#include "engine/topology.h"

// The opaque handles of the public header.

struct cede_engine {
  cede::Engine engine;
};

struct cede_report {
  struct Finding {
    cede_finding facts;
    std::string path;
    std::string text;
  };
  std::vector<Finding> findings;
  std::size_t dropped = 0;
};

struct cede_text {
  std::string text;
};

struct cede_admission {
  cede::AdmissionAnswer answer;
};

struct cede_plan {
  cede::Plan plan;
  std::vector<std::string> after;  // the names of Plan::after
  std::shared_ptr<const cede::PolicySet> policies;
  // Written on demand: with many victims it is a long text.
  mutable std::once_flag objective_once;
  mutable std::string objective;
  // Names for the caller, as texts that end with a NUL.
  struct Victim {
    std::string job;
    std::vector<std::string> tasks;
    uint32_t number = 0;
    uint32_t first_task = 0;
  };
  struct Place {
    std::string task;
    std::string node;
    uint32_t task_number = 0;
    uint32_t node_number = 0;
    uint32_t position = 0;
  };
  // With many victims, these names are also made on demand (see name_all()).
  mutable std::once_flag named_once;
  // The numbers that the caller had for names; empty once the names are made.
  struct Called {
    cede::NameRegistry book;
    cede::InternTable names;
  };
  mutable std::optional<Called> called;
  mutable std::vector<Victim> victims;
  mutable std::vector<cede_victim_task> victim_tasks;  // of all victims
  mutable std::vector<Place> places;
};

namespace cede::capi {

// Makes the names of the plan once. Safe to call from several threads.
void name_all(const cede_plan& plan);

}  // namespace cede::capi

struct cede_step {
  cede::StepResult result;
  cede::Time next_due = cede::kNoTime;
};

struct cede_ledger {
  cede::LedgerView view;
};

struct cede_topology {
  cede::Topology topology;
  // For each level, the indexes of its domains.
  std::vector<std::vector<std::size_t>> domains;
};
