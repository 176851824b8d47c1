// SPDX-License-Identifier: MIT
#pragma once

#include <cede/cede.h>

#include <memory>

namespace cli {

struct Destroy {
  void operator()(cede_engine* engine) const { cede_engine_destroy(engine); }
  void operator()(cede_report* report) const { cede_report_destroy(report); }
  void operator()(cede_admission* admission) const { cede_admission_destroy(admission); }
  void operator()(cede_plan* plan) const { cede_plan_destroy(plan); }
  void operator()(cede_text* text) const { cede_text_destroy(text); }
  void operator()(cede_ledger* ledger) const { cede_ledger_destroy(ledger); }
  void operator()(cede_step* step) const { cede_step_destroy(step); }
  void operator()(cede_topology* topology) const { cede_topology_destroy(topology); }
};

using Admission = std::unique_ptr<cede_admission, Destroy>;
using Engine = std::unique_ptr<cede_engine, Destroy>;
using Ledger = std::unique_ptr<cede_ledger, Destroy>;
using Plan = std::unique_ptr<cede_plan, Destroy>;
using Report = std::unique_ptr<cede_report, Destroy>;
using Step = std::unique_ptr<cede_step, Destroy>;
using Text = std::unique_ptr<cede_text, Destroy>;
using Topology = std::unique_ptr<cede_topology, Destroy>;

}  // namespace cli
