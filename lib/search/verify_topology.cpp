// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/bits.h"
#include "search/plan_facts.h"
#include "topology/fit/device_sets.h"
#include "topology/fit/node_fit.h"
#include "topology/import/device_catalogue.h"

namespace cede::plan_check {

namespace {

// Cpu that is certainly free on each NUMA node: tasks that stay count against their own node if that is
// known, the others against each.
std::vector<Amount> numa_cpu(const PlanFacts& facts, NodeId id, const NodeClass& node_class) {
  const NodeRow& row = facts.model.nodes[id];
  const std::uint32_t cpu = facts.model.find_resource("cpu");
  if (cpu == ResourceId::kNoValue) return {};
  Total cores = 0;
  for (const std::uint32_t each : node_class.cores) cores += each;
  std::vector<Amount> free;
  for (std::size_t n = 0; n < node_class.numa.size(); ++n) {
    const Total has = n < node_class.cores.size() && cores > 0
                          ? static_cast<Total>(amount_of(facts.model.shape(row.resources), cpu)) *
                                node_class.cores[n] / cores
                          : 0;
    Total here = 0;
    Total here_today = 0;
    Total anywhere = 0;
    for (TaskId t = row.first_task; t; t = facts.model.tasks.core(t).next_on_node) {
      const Amount held = amount_of(facts.model.shape(facts.model.tasks.core(t).resources), cpu);
      const RequirementId require = facts.model.job_extras[facts.model.tasks.core(t).job.value].require;
      const bool single = require && facts.model.requirements[require.value]->cpu_numa == CpuNuma::single;
      DeviceMask devices = facts.model.tasks.core(t).gpus;
      for (const DeviceShare& share : facts.model.shares(facts.model.tasks.extras(t)))
        devices |= DeviceMask{1} << share.device;
      bool bound = false;
      for (const DeviceMask mask : node_class.numa)
        bound = bound || (single && devices != 0 && (devices & ~mask) == 0);
      const bool stays = !facts.gone.contains(t.value);
      if (bound && (devices & ~node_class.numa[n]) == 0) {
        here_today += held;
        here += stays ? held : 0;
      } else if (!bound && stays) {
        anywhere += held;
      }
    }
    for (const InFlight::Blocked* each : facts.kept_from_it(id)) anywhere += amount_of(each->amounts, cpu);
    const Total others = std::min(anywhere, std::max<Total>(0, has - here_today));
    free.push_back(static_cast<Amount>(std::max<Total>(0, has - here - others)));
  }
  return free;
}

}  // namespace

namespace {

// One node that the plan uses, as its entries see it.
struct UsedNode {
  const NodeClass* node_class = nullptr;
  std::vector<DeviceMask> tasks;
  std::vector<TaskTerms> terms;  // of each task
  bool known = true;             // which devices they get
  bool wants_devices = false;
};

UsedNode used_node(const PlanFacts& facts, NodeId id) {
  const NodeRow& row = facts.model.nodes[id];
  const auto amount = [&](ShapeId shape, std::string_view resource) {
    const std::uint32_t found = facts.model.find_resource(resource);
    return found == ResourceId::kNoValue ? Amount{0} : amount_of(facts.model.shape(shape), found);
  };
  UsedNode out;
  out.node_class = facts.model.node_class(row);
  for (const PlannedTask* placed : facts.placed_on(id)) {
    const PlannedTask& task = *placed;
    out.tasks.push_back(task.gpus | (task.share > 0 ? DeviceMask{1} << task.share_device : 0));
    out.known = out.known && task.devices_known;
    const ShapeId shape = facts.model.tasks.core(task.task).resources;
    TaskTerms& terms = out.terms.emplace_back();
    terms.devices = static_cast<std::uint32_t>((amount(shape, "gpu") + kOne - 1) / kOne);
    terms.cpu = amount(shape, "cpu");
    terms.node_cpu = amount(row.resources, "cpu");
    out.wants_devices = out.wants_devices || terms.devices > 0;
  }
  return out;
}

// Whether every task has cpu and devices on as few NUMA nodes as it may use, all of them together.
bool numa_is_met(const UsedNode& node, const Requirement& require, std::span<const Amount> free_cpu) {
  const DeviceSets sets(*node.node_class);
  std::vector<NumaDemand> demands;
  for (std::size_t i = 0; i < node.tasks.size(); ++i) {
    const NumaTerms own = NodeFit(*node.node_class, require, node.terms[i]).numa_terms({});
    if ((unmet_entries(sets, require, std::span(node.tasks).subspan(i, 1), own) & kNumaEntry) != 0)
      return false;
    demands.push_back({sets.numa_nodes(node.tasks[i]), own.limit, own.cpu});
  }
  Work work(kOneFit);
  return free_cpu.empty() || shares_cpu(demands, free_cpu, work) == Fit::yes;
}

// The entries that concern one node and are not met on it.
EntrySet unmet_on(const PlanFacts& facts, NodeId id, const UsedNode& node) {
  const Requirement& require = facts.require();
  EntrySet unmet =
      unmet_entries(DeviceSets(*node.node_class), require, node.tasks, NumaTerms{}) & ~kNumaEntry;
  if (require.cpu_numa == CpuNuma::none) return unmet;
  const std::vector<Amount> free_cpu = numa_cpu(facts, id, *node.node_class);
  return unmet | (numa_is_met(node, require, free_cpu) ? 0 : kNumaEntry);
}

}  // namespace

// Every hard entry that concerns one node, on every node used.
std::string gpu_entries(const PlanFacts& facts) {
  const Requirement& require = facts.require();
  const bool numa = require.cpu_numa == CpuNuma::single || require.cpu_numa == CpuNuma::restricted;
  if (!facts.yes() || !facts.for_job() || (hard_entries(require) == 0 && !numa)) return {};
  std::set<std::string> job_models;
  std::size_t devices = 0;
  for (const std::uint32_t used : facts.nodes_used()) {
    const NodeId id{used};
    const UsedNode node = used_node(facts, id);
    if (!node.node_class) {
      if (node.wants_devices || numa)
        return facts.node_name(id) + " has no topology to meet the entries with";
      continue;
    }
    if (!node.known) continue;  // see devices(): which ones is not certain
    if ((unmet_on(facts, id, node) & hard_entries(require)) != 0)
      return "devices of " + facts.node_name(id) + " do not meet a hard entry";
    if (require.uniform_model != UniformModel::job) continue;
    for (const DeviceMask mask : node.tasks) {
      for (std::uint32_t d = 0; d < node.node_class->devices.size(); ++d) {
        if ((mask >> d & 1) == 0) continue;
        job_models.insert(fold_model(node.node_class->devices[d].model));
        ++devices;
      }
    }
  }
  if (devices > 1 && job_models.contains(std::string{})) return "a device's model is not known";
  return job_models.size() > 1 ? "devices of several models are used" : std::string{};
}

namespace {

// The domain of each level that the node is in, by name.
std::map<std::string, std::string> domains(const PlanFacts& facts, NodeId node) {
  std::map<std::string, std::string> out;
  for (const DomainId listed : facts.model.node_domains(facts.model.nodes[node])) {
    for (DomainId at = listed; at; at = facts.model.domains[at].parent) {
      const DomainRow& row = facts.model.domains[at];
      out[std::string(facts.model.name(facts.model.levels[row.level]))] =
          std::string(facts.model.name(row.name));
    }
  }
  return out;
}

bool is_hard(const PlanFacts& facts, const NetworkRequirement& entry) {
  if (entry.strength != Strength::hard) return false;
  return entry.expires == kNoDuration ||
         facts.plan.now - facts.effective.waiting_since(facts.request.job) < entry.expires;
}

std::string fingerprint(const PlanFacts& facts, NodeId id);

std::string segments(const PlanFacts& facts, const NetworkRequirement& entry, bool uniform_segments) {
  std::map<std::string, std::uint32_t> nodes;  // by domain (and fingerprint)
  std::map<std::string, std::uint32_t> by_domain;
  std::set<std::string> above;
  for (const std::uint32_t id : facts.nodes_used()) {
    const auto own = domains(facts, NodeId{id});
    const auto at = own.find(entry.level);
    if (at == own.end()) return facts.node_name(NodeId{id}) + " is in no " + entry.level;
    std::string key = at->second;
    if (uniform_segments) {
      const std::string own_set = fingerprint(facts, NodeId{id});
      key += '\n' + (own_set.empty() ? "alone " + std::to_string(id) : own_set);
    }
    ++nodes[key];
    ++by_domain[at->second];
    if (!entry.consolidate.empty())
      above.insert(own.contains(entry.consolidate) ? own.at(entry.consolidate) : "");
  }
  for (const auto& [domain, count] : nodes) {
    if (count % entry.segment != 0)
      return std::to_string(count) + " nodes of a " + entry.level + " are no segments of " +
             std::to_string(entry.segment);
  }
  for (const auto& [domain, count] : by_domain) {
    if (entry.spread && count > entry.segment) return "two segments are in one " + entry.level;
  }
  return above.size() > 1 || above.contains("") ? "the segments are not in one " + entry.consolidate
                                                : std::string{};
}

}  // namespace

namespace {

std::string network_entry(const PlanFacts& facts, const NetworkRequirement& entry) {
  const ConformanceRequirement& conformance = facts.require().conformance;
  if (entry.segment > 0) {
    const bool uniform =
        conformance.mode == ConformanceMode::uniform && conformance.scope == ConformanceScope::segment;
    if (std::string found = segments(facts, entry, uniform); !found.empty()) return found;
  }
  if (entry.max_domains == kNoBound) return {};
  std::set<std::uint32_t> nodes = facts.nodes_used();
  for (const TaskId task : facts.placed_tasks(facts.request.job))
    nodes.insert(facts.model.tasks.core(task).node.value);
  std::set<std::string> used;
  for (const std::uint32_t id : nodes) {
    const auto own = domains(facts, NodeId{id});
    if (own.contains(entry.level)) {
      used.insert(own.at(entry.level));
    } else if (facts.nodes_used().contains(id)) {
      return facts.node_name(NodeId{id}) + " is in no " + entry.level;
    }
  }
  if (used.size() <= entry.max_domains) return {};
  return std::to_string(used.size()) + " domains of level " + entry.level + " are used of at most " +
         std::to_string(entry.max_domains);
}

// The chosen components of a node's fingerprint as one text; empty where it does not report them freshly.
std::string fingerprint(const PlanFacts& facts, NodeId id) {
  const ConformanceRequirement& need = facts.require().conformance;
  const NodeRow& row = facts.model.nodes[id];
  const bool fresh = row.fingerprint != kNoBlob &&
                     (need.max_age == kNoDuration ||
                      (row.fingerprint_at != kNoTime && facts.plan.now - row.fingerprint_at <= need.max_age));
  if (!fresh) return {};
  std::map<std::string, std::string> reported;
  for (const auto& [component, value] : facts.model.pairs(row.fingerprint))
    reported[std::string(component)] = value;
  std::string text;
  if (need.components.empty() || reported.contains("")) {
    for (const auto& [component, value] : reported) text += component + '=' + value + '\n';
    return text;
  }
  for (const std::string& component : need.components) {
    if (!reported.contains(component)) return {};
    text += component + '=' + reported.at(component) + '\n';
  }
  return text;
}

}  // namespace

std::string network(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  for (const NetworkRequirement& entry : facts.require().network) {
    if (!is_hard(facts, entry)) continue;
    if (std::string found = network_entry(facts, entry); !found.empty()) return found;
  }
  return {};
}

std::string conformance(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const ConformanceRequirement& need = facts.require().conformance;
  ConformanceMode mode = need.mode;
  if (mode == ConformanceMode::absent && facts.effective.job_class(facts.request.job) == kSensitiveClass) {
    facts.model.nodes.for_each([&](NodeId, const NodeRow& row) {
      if (row.group == facts.group() && row.fingerprint != kNoBlob) mode = ConformanceMode::uniform;
    });
  }
  if (mode != ConformanceMode::uniform && mode != ConformanceMode::baseline) return {};
  bool has_segments = false;
  for (const NetworkRequirement& entry : facts.require().network)
    has_segments = has_segments || (entry.segment > 0 && is_hard(facts, entry));
  if (mode == ConformanceMode::uniform && need.scope == ConformanceScope::segment && has_segments)
    return {};  // network()
  std::set<std::string> seen;
  std::size_t alone = 0;
  std::set<std::uint32_t> nodes = facts.nodes_used();
  if (mode == ConformanceMode::uniform) {
    for (const TaskId task : facts.placed_tasks(facts.request.job))
      nodes.insert(facts.model.tasks.core(task).node.value);
  }
  for (const std::uint32_t id : nodes) {
    const std::string own = fingerprint(facts, NodeId{id});
    if (mode == ConformanceMode::baseline) {
      std::map<std::string, std::string> reported;
      if (!own.empty()) {
        for (const auto& [component, value] : facts.model.pairs(facts.model.nodes[NodeId{id}].fingerprint))
          reported[std::string(component)] = value;
      }
      for (const auto& [component, value] : need.baseline) {
        if (!reported.contains(component) || reported.at(component) != value)
          return facts.node_name(NodeId{id}) + " is not of the baseline";
      }
      continue;
    }
    seen.insert(own.empty() ? "alone " + std::to_string(++alone) : own);
  }
  return seen.size() > 1 ? "the nodes' fingerprints differ" : std::string{};
}

namespace {

bool same_user(const PlanFacts& facts, JobId a, JobId b) {
  const NameId user = facts.model.job_owners[a.value].user;
  return user != kNoName && user == facts.model.job_owners[b.value].user;
}

}  // namespace

namespace {

// Where victims of another decision are, nobody is alone yet.
std::string victims_of_others(const PlanFacts& facts) {
  const Requirement& own = facts.require();
  if (own.exclusive == Exclusive::none) return {};
  for (const std::uint32_t used : facts.nodes_used()) {
    std::string found;
    facts.model.nodes.for_each([&](NodeId node, const NodeRow&) {
      if (!found.empty() || !facts.others_leave(node)) return;
      bool near = node.value == used;
      if (own.exclusive == Exclusive::domain) {
        const auto a = domains(facts, NodeId{used});
        const auto b = domains(facts, node);
        near = b.contains(own.exclusive_level) && a.at(own.exclusive_level) == b.at(own.exclusive_level);
      }
      if (near)
        found = facts.node_name(node) + " is kept by a decision in flight, and the request is to be alone";
    });
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

namespace {

// Whether the request on one node and somebody on another, or on the same, are together against a wish.
std::string shared_with(const PlanFacts& facts, NodeId used, NodeId other) {
  const bool here = used == other;
  const auto same_domain = [&](const std::string& level) {
    const auto a = domains(facts, used);
    const auto b = domains(facts, other);
    return a.contains(level) && b.contains(level) && a.at(level) == b.at(level);
  };
  for (TaskId t = facts.model.nodes[other].first_task; t; t = facts.model.tasks.core(t).next_on_node) {
    const JobId id = facts.model.tasks.core(t).job;
    if (id == facts.request.job || facts.gone.contains(t.value)) continue;
    const RequirementId rid = facts.model.job_extras[id.value].require;
    const Requirement* theirs = rid ? facts.model.requirements[rid.value].get() : nullptr;
    const auto minds = [&](const Requirement& asks) {
      if (asks.exclusive == Exclusive::node) return here;
      if (asks.exclusive == Exclusive::user) return here && !same_user(facts, id, facts.request.job);
      return asks.exclusive == Exclusive::domain && same_domain(asks.exclusive_level);
    };
    if (minds(facts.require()) || (theirs && minds(*theirs)))
      return facts.node_name(used) + " is shared with " + facts.job_name(id) + " against a wish to be alone";
  }
  return {};
}

}  // namespace

std::string exclusivity(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const Requirement& own = facts.require();
  for (const std::uint32_t used : facts.nodes_used()) {
    if (own.exclusive == Exclusive::domain && !domains(facts, NodeId{used}).contains(own.exclusive_level))
      return facts.node_name(NodeId{used}) + " is in no " + own.exclusive_level + " to be alone in";
  }
  if (std::string kept = victims_of_others(facts); !kept.empty()) return kept;
  for (const std::uint32_t used : facts.nodes_used()) {
    if (std::string found = shared_with(facts, NodeId{used}, NodeId{used}); !found.empty()) return found;
  }
  // Only who wants a whole domain minds who is on other nodes.
  const auto wants_domain = [](const Requirement& asks) { return asks.exclusive == Exclusive::domain; };
  bool any = wants_domain(own);
  for (std::size_t i = 0; i < facts.model.requirements.size() && !any; ++i) {
    const Requirement* asks = facts.model.requirements[i].get();
    any = asks && wants_domain(*asks);
  }
  std::string found;
  facts.model.nodes.for_each([&](NodeId node, const NodeRow& row) {
    if (!any || !row.first_task) return;
    for (const std::uint32_t used : facts.nodes_used()) {
      if (found.empty() && used != node.value) found = shared_with(facts, NodeId{used}, node);
    }
  });
  return found;
}

namespace {

// Devices' preferences that some node used misses.
std::int64_t device_preferences_missed(const PlanFacts& facts) {
  const Requirement& require = facts.require();
  EntrySet missed = 0;
  for (const std::uint32_t used : facts.nodes_used()) {
    const UsedNode node = used_node(facts, NodeId{used});
    if (node.node_class && node.known) {
      missed |= unmet_on(facts, NodeId{used}, node) & preferred_entries(require);
    } else {
      missed |= preferred_entries(require) & (node.wants_devices ? ~EntrySet{0} : kNumaEntry);
    }
  }
  return count_bits(missed);
}

}  // namespace

std::int64_t preferences_missed(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return 0;
  const Requirement& require = facts.require();
  std::int64_t missed = preferred_entries(require) == 0 ? 0 : device_preferences_missed(facts);
  // An entry is met if a plan that demanded it would pass.
  for (const NetworkRequirement& entry : require.network) {
    if (is_hard(facts, entry)) continue;
    NetworkRequirement demanded = entry;
    demanded.strength = Strength::hard;
    demanded.expires = kNoDuration;
    missed += network_entry(facts, demanded).empty() ? 0 : 1;
  }
  ConformanceMode mode = require.conformance.mode;
  if (mode == ConformanceMode::absent && facts.effective.job_class(facts.request.job) != kSensitiveClass)
    mode = ConformanceMode::prefer;
  if (mode != ConformanceMode::prefer) return missed;
  std::map<std::string, std::int64_t> sets;
  std::int64_t reporting = 0;
  std::int64_t largest = 0;
  for (const std::uint32_t id : facts.nodes_used()) {
    const std::string set = fingerprint(facts, NodeId{id});
    if (set.empty()) continue;
    ++reporting;
    largest = std::max(largest, ++sets[set]);
  }
  return missed + reporting - largest;
}

std::int64_t borrowed_nodes(const PlanFacts& facts) {
  if (!facts.for_job()) return 0;
  std::int64_t count = 0;
  for (const std::uint32_t id : facts.nodes_used()) {
    const QueueId home = facts.model.nodes[NodeId{id}].home;
    count += home && !facts.model.is_below(facts.request.queue, home) ? 1 : 0;
  }
  return count;
}

std::string preferences(const PlanFacts& facts) {
  for (const Criterion& criterion : facts.plan.objective) {
    if (criterion.name == "preferences" && criterion.number != preferences_missed(facts))
      return std::to_string(preferences_missed(facts)) + " preferences are missed";
    if (criterion.name == "borrowed" && criterion.number != borrowed_nodes(facts))
      return std::to_string(borrowed_nodes(facts)) + " borrowed nodes are used";
  }
  return {};
}

}  // namespace cede::plan_check
