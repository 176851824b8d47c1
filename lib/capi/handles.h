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

// What the opaque handles of the public header are.

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
  std::vector<std::string> after;  // as in the plan
  std::shared_ptr<const cede::PolicySet> policies;
  // Written when somebody asks for it: of many victims it is a long text.
  mutable std::once_flag objective_once;
  mutable std::string objective;
  // Names handed out, as texts that end in a NUL.
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
  // With many victims these, too, are made when somebody asks for one: see name_all().
  mutable std::once_flag named_once;
  // What the caller called things; none once they are made.
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

// Makes the plan's names, once. Any number of threads may ask.
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
  // Of each level, its domains by number.
  std::vector<std::vector<std::size_t>> domains;
};
