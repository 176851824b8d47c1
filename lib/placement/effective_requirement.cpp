// SPDX-License-Identifier: MIT
#include "placement/effective_requirement.h"

#include <algorithm>
#include <map>
#include <set>

#include "placement/device_allocator.h"
#include "topology/fit/node_fit.h"

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
  // Only hard segments narrow what must be uniform: keeping a preference must not loosen a hard condition.
  const bool has_segments = std::any_of(
      require_.network.begin(), require_.network.end(),
      [](const NetworkRequirement& entry) { return entry.segment > 0 && entry.strength == Strength::hard; });
  if (!has_segments) out.conformance.scope = ConformanceScope::job;
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

SegmentConstraint segment_need(const NodeAttributes& attributes, const NetworkRequirement& entry) {
  SegmentConstraint segment;
  segment.level = attributes.level(entry.level);
  segment.size = entry.segment;
  segment.spread = entry.spread;
  if (!entry.consolidate.empty()) segment.consolidate = attributes.level(entry.consolidate);
  return segment;
}

bool are_segments(const NodeAttributes& attributes, const SegmentConstraint& segment, bool uniform,
                  const std::vector<std::uint32_t>& nodes) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> counts;
  std::map<std::uint32_t, std::uint32_t> by_domain;
  std::set<std::uint32_t> above;
  for (const std::uint32_t node : nodes) {
    const auto domains = attributes.domains(node);
    if (domains[segment.level] == kNowhere) return false;
    ++counts[{domains[segment.level], uniform ? attributes.fingerprint(node) : 0}];
    ++by_domain[domains[segment.level]];
    if (segment.consolidate == kNowhere) continue;
    if (domains[segment.consolidate] == kNowhere) return false;
    above.insert(domains[segment.consolidate]);
  }
  if (above.size() > 1) return false;
  for (const auto& [place, count] : counts) {
    if (count % segment.size != 0) return false;
  }
  return !segment.spread || std::all_of(by_domain.begin(), by_domain.end(),
                                        [&](const auto& domain) { return domain.second == segment.size; });
}

namespace {

class PreferenceCheck {
 public:
  PreferenceCheck(const Space& space, const NodeAttributes& attributes, const EffectiveRequirement& need,
                  const std::vector<PlannedTask>& tasks)
      : space_(space), model_(space.model()), attributes_(attributes), require_(need.require()) {
    for (const PlannedTask& task : tasks) by_node_[space.index_of(task.node)].push_back(&task);
    for (const auto& [node, unused] : by_node_) used_.push_back(node);
    const JobId job = space.rule_context().requester();
    for (std::uint32_t k = 0; job && k < model_.jobs[job].task_rows; ++k) {
      const NodeId node = model_.tasks.core(TaskId{model_.jobs[job].first_task.value + k}).node;
      const std::uint32_t index = node ? space.index_of(node) : NodeId::kNoValue;
      if (index != NodeId::kNoValue) siblings_.push_back(index);
    }
  }

  bool misses_network(const NetworkRequirement& entry) const {
    const ConformanceRequirement& conformance = require_.conformance;
    const std::uint32_t level = attributes_.level(entry.level);
    if (level == kNowhere) return true;
    if (entry.segment > 0) {
      const bool uniform =
          conformance.mode == ConformanceMode::uniform && conformance.scope == ConformanceScope::segment;
      if (!are_segments(attributes_, segment_need(attributes_, entry), uniform, used_)) return true;
    }
    if (entry.max_domains == kNoBound) return false;
    std::set<std::uint32_t> domains;
    for (const std::uint32_t node : used_) {
      const std::uint32_t domain = attributes_.domains(node)[level];
      if (domain == kNowhere) return true;
      domains.insert(domain);
    }
    for (const std::uint32_t node : siblings_) {
      if (attributes_.domains(node)[level] != kNowhere) domains.insert(attributes_.domains(node)[level]);
    }
    return domains.size() > entry.max_domains;
  }

  // The entries about devices and NUMA nodes that are not met on some node.
  EntrySet missed_on_nodes() const {
    EntrySet missed = 0;
    const std::uint32_t gpu = model_.find_resource("gpu");
    const std::uint32_t cpu = model_.find_resource("cpu");
    const auto amount = [&](ShapeId shape, std::uint32_t resource) {
      return resource == ResourceId::kNoValue ? Amount{0} : amount_of(model_.shape(shape), resource);
    };
    for (const auto& [node, tasks] : by_node_) {
      const NodeRow& row = model_.nodes[space_.node(node).id];
      const NodeClass* node_class = model_.node_class(row);
      bool known = true;
      bool wants_devices = false;
      std::vector<DeviceMask> masks;
      std::vector<TaskTerms> terms;
      for (const PlannedTask* task : tasks) {
        const ShapeId shape = model_.tasks.core(task->task).resources;
        masks.push_back(task->gpus | (task->share > 0 ? DeviceMask{1} << task->share_device : 0));
        known = known && task->devices_known;
        TaskTerms& own = terms.emplace_back();
        own.devices = static_cast<std::uint32_t>((amount(shape, gpu) + kOne - 1) / kOne);
        own.cpu = amount(shape, cpu);
        own.node_cpu = amount(row.resources, cpu);
        wants_devices = wants_devices || own.devices > 0;
      }
      if (!node_class || !known) {
        missed |= preferred_entries(require_) & (wants_devices ? ~EntrySet{0} : kNumaEntry);
        continue;
      }
      const DeviceSets sets(*node_class);
      missed |= unmet_entries(sets, require_, masks, NumaTerms{}) & ~kNumaEntry;
      if (require_.cpu_numa == CpuNuma::best_effort && misses_numa(node, *node_class, sets, masks, terms))
        missed |= kNumaEntry;
    }
    return missed & preferred_entries(require_);
  }

 private:
  bool misses_numa(std::uint32_t node, const NodeClass& node_class, const DeviceSets& sets,
                   const std::vector<DeviceMask>& masks, const std::vector<TaskTerms>& terms) const {
    std::vector<NumaDemand> demands;
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const NumaTerms own = NodeFit(node_class, require_, terms[i]).numa_terms({});
      if ((unmet_entries(sets, require_, std::span(masks).subspan(i, 1), own) & kNumaEntry) != 0) return true;
      demands.push_back({sets.numa_nodes(masks[i]), own.limit, own.cpu});
    }
    const std::vector<Amount> free = certain_numa_cpu(space_, node);
    Work work(kOneFit);
    return !free.empty() && shares_cpu(demands, free, work) != Fit::yes;
  }

  const Space& space_;
  const Model& model_;
  const NodeAttributes& attributes_;
  const Requirement& require_;
  std::map<std::uint32_t, std::vector<const PlannedTask*>> by_node_;
  std::vector<std::uint32_t> used_;
  std::vector<std::uint32_t> siblings_;
};

}  // namespace

std::vector<bool> missed_preferences(const Space& space, const NodeAttributes& attributes,
                                     const EffectiveRequirement& need,
                                     const std::vector<PlannedTask>& tasks) {
  const PreferenceCheck judge(space, attributes, need, tasks);
  const EntrySet on_nodes = judge.missed_on_nodes();
  std::vector<bool> missed;
  for (std::size_t i = 0; i < need.preferences(); ++i) {
    const EffectiveRequirement::Preference& each = need.preference(i);
    switch (each.part) {
      case EffectiveRequirement::Part::gpus:
        missed.push_back((on_nodes & gpus_entry(each.index)) != 0);
        break;
      case EffectiveRequirement::Part::nic: missed.push_back((on_nodes & kNicEntry) != 0); break;
      case EffectiveRequirement::Part::cpu: missed.push_back((on_nodes & kNumaEntry) != 0); break;
      case EffectiveRequirement::Part::network:
        missed.push_back(judge.misses_network(need.require().network[each.index]));
        break;
    }
  }
  return missed;
}

}  // namespace cede
