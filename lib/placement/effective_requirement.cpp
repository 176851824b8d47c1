// SPDX-License-Identifier: MIT
#include "placement/effective_requirement.h"

#include <algorithm>

namespace cede {

namespace {

std::string gpus_name(const GpuRequirement& need) { return std::string(to_word(need.level, kGpuLevels)); }

bool reports_fingerprints(const RuleContext& rule_context) {
  bool any = false;
  rule_context.model().nodes.for_each([&](NodeId, const NodeRow& row) {
    any = any || (row.group == rule_context.group() && row.fingerprint != kNoBlob);
  });
  return any;
}

}  // namespace

EffectiveRequirement::EffectiveRequirement(const RuleContext& rule_context) {
  const Model& model = rule_context.model();
  const JobId job = rule_context.requester();
  if (job && model.job_extras[job.value].require)
    require_ = *model.requirements[model.job_extras[job.value].require.value];
  if (require_.conformance.mode == ConformanceMode::absent) {
    const bool sensitive = job && rule_context.effective.job_class(job) == kSensitiveClass;
    require_.conformance.mode =
        sensitive && reports_fingerprints(rule_context) ? ConformanceMode::uniform : ConformanceMode::prefer;
  }
  for (NetworkRequirement& entry : require_.network) {
    const bool expired = entry.expires != kNoDuration && job &&
                         rule_context.now - rule_context.effective.waiting_since(job) >= entry.expires;
    if (expired) entry.strength = Strength::prefer;
  }
  for (std::size_t i = 0; i < require_.gpus.size(); ++i) {
    if (require_.gpus[i].strength == Strength::prefer)
      preferred_.push_back({Part::gpus, i, gpus_name(require_.gpus[i])});
  }
  if (require_.nic.given && require_.nic.strength == Strength::prefer)
    preferred_.push_back({Part::nic, 0, "nic"});
  if (require_.cpu_numa == CpuNuma::best_effort) preferred_.push_back({Part::cpu, 0, "cpu"});
  for (std::size_t i = 0; i < require_.network.size(); ++i) {
    if (require_.network[i].strength == Strength::prefer)
      preferred_.push_back({Part::network, i, require_.network[i].level});
  }
}

Requirement EffectiveRequirement::demanding(std::uint64_t preferences) const {
  Requirement out = require_;
  const auto demanded = [&](Part part, std::size_t index) {
    for (std::size_t i = 0; i < preferred_.size() && i < 64; ++i) {
      if (preferred_[i].part == part && preferred_[i].index == index) return (preferences >> i & 1) != 0;
    }
    return true;  // it is a hard entry
  };
  out.gpus.clear();
  out.network.clear();
  for (std::size_t i = 0; i < require_.gpus.size(); ++i) {
    if (!demanded(Part::gpus, i)) continue;
    out.gpus.push_back(require_.gpus[i]);
    out.gpus.back().strength = Strength::hard;
  }
  for (std::size_t i = 0; i < require_.network.size(); ++i) {
    if (!demanded(Part::network, i)) continue;
    out.network.push_back(require_.network[i]);
    out.network.back().strength = Strength::hard;
  }
  if (!demanded(Part::nic, 0)) out.nic = {};
  out.nic.strength = Strength::hard;
  if (out.cpu_numa == CpuNuma::best_effort)
    out.cpu_numa = demanded(Part::cpu, 0) ? CpuNuma::restricted : CpuNuma::none;
  return out;
}

std::vector<std::string> EffectiveRequirement::hard_names() const {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  };
  if (!require_.gpu_models.empty()) add("gpu_model");
  if (require_.uniform_model != UniformModel::off) add("uniform_model");
  for (const GpuRequirement& entry : require_.gpus) {
    if (entry.strength == Strength::hard) add(gpus_name(entry));
  }
  if (require_.nic.given && require_.nic.strength == Strength::hard) add("nic");
  if (require_.cpu_numa == CpuNuma::single || require_.cpu_numa == CpuNuma::restricted) add("cpu");
  for (const NetworkRequirement& entry : require_.network) {
    if (entry.strength == Strength::hard) add(entry.level);
  }
  if (require_.exclusive != Exclusive::none) add("exclusive");
  const ConformanceMode mode = require_.conformance.mode;
  if (mode == ConformanceMode::uniform || mode == ConformanceMode::baseline) add("conformance");
  return names;
}

std::vector<EffectiveRequirement::Lighter> EffectiveRequirement::each_left_out() const {
  std::vector<Lighter> out;
  const Requirement hard = demanding(0);
  const auto without = [&](std::string name, auto change) {
    Lighter lighter{std::move(name), hard};
    change(lighter.require);
    out.push_back(std::move(lighter));
  };
  if (hard.nodes != Bounds{}) without("nodes", [](Requirement& r) { r.nodes = {}; });
  if (hard.tasks_per_node != Bounds{})
    without("tasks_per_node", [](Requirement& r) { r.tasks_per_node = {}; });
  if (!hard.gpu_models.empty()) without("gpu_model", [](Requirement& r) { r.gpu_models.clear(); });
  if (hard.uniform_model != UniformModel::off)
    without("uniform_model", [](Requirement& r) { r.uniform_model = UniformModel::off; });
  for (std::size_t i = 0; i < hard.gpus.size(); ++i) {
    without("gpus " + gpus_name(hard.gpus[i]),
            [&](Requirement& r) { r.gpus.erase(r.gpus.begin() + static_cast<std::ptrdiff_t>(i)); });
  }
  if (hard.nic.given) without("nic", [](Requirement& r) { r.nic = {}; });
  if (hard.cpu_numa != CpuNuma::none) without("cpu.numa", [](Requirement& r) { r.cpu_numa = CpuNuma::none; });
  for (std::size_t i = 0; i < hard.network.size(); ++i) {
    without("network " + hard.network[i].level,
            [&](Requirement& r) { r.network.erase(r.network.begin() + static_cast<std::ptrdiff_t>(i)); });
  }
  if (hard.exclusive != Exclusive::none)
    without("exclusive", [](Requirement& r) { r.exclusive = Exclusive::none; });
  const ConformanceMode mode = hard.conformance.mode;
  if (mode == ConformanceMode::uniform || mode == ConformanceMode::baseline)
    without("conformance", [](Requirement& r) { r.conformance.mode = ConformanceMode::none; });
  return out;
}

}  // namespace cede
