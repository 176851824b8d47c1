// SPDX-License-Identifier: MIT
#pragma once

#include <cede/cede.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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

// Everything that one of the array calls gives; nothing if it fails.
template <class Handle, class Struct>
std::vector<Struct> all_of(std::int32_t (*call)(const Handle*, Struct*, std::size_t, std::size_t,
                                                std::size_t*, cede_error*),
                           const Handle* handle) {
  std::size_t count = 0;
  if (call(handle, nullptr, sizeof(Struct), 0, &count, nullptr) < 0) return {};
  std::vector<Struct> out(count);
  if (call(handle, out.data(), sizeof(Struct), count, nullptr, nullptr) < 0) out.clear();
  return out;
}

}  // namespace cli
