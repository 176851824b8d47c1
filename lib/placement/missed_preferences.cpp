// SPDX-License-Identifier: MIT
#include "placement/missed_preferences.h"

#include <algorithm>
#include <map>
#include <set>

#include "placement/device_allocator.h"
#include "topology/fit/node_fit.h"

namespace cede {

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
